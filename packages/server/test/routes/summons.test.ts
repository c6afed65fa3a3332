import { startModelServer, type ModelReply, type ModelServer } from '@loam/models/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../open-test-api.js'

const file = (name: string, text: string) => `<file name="${name}">\n${text}\n</file>\n`
const ANSWER = `<frontmatter>Reviews Rust.</frontmatter>
${file('SOUL.md', 'Sarcastic.')}${file('IDENTITY.md', '- **Name:** Ferris')}${file('AGENTS.md', 'Review.')}${file('TOOLS.md', 'clippy')}`

let reply: () => ModelReply | Promise<ModelReply> = () => ANSWER
let server: ModelServer
let test: TestApi
beforeAll(async () => {
  server = await startModelServer({ chat: () => reply() })
  test = await openTestApi({ LOAM_MODEL_BASE_URL: server.baseUrl, LOAM_CHAT_MODEL: 'scripted' })
  await test.runtime.start()
})
afterEach(() => {
  reply = () => ANSWER
})
afterAll(async () => {
  await test.close()
  await server.close()
})

/** A promise and how to fulfil it. */
function deferred<Value>() {
  let resolve!: (value: Value) => void
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

const post = (agent: string, action: string, body: object = {}, key?: string) =>
  test.send('POST', `/v1/agents/${agent}/${action}`, key === undefined ? { body } : { body, key })
const summonOf = async (agent: string) =>
  (await test.send('GET', `/v1/agents/${agent}/summon`)).body
const agentOf = async (agent: string) => (await test.send('GET', `/v1/agents/${agent}`)).body
const soulOf = async (agent: string) =>
  (await test.send('GET', `/v1/agents/${agent}/files/SOUL.md`)).body.content as string
const reviewer = () =>
  test.addAgent({ type: 'predefined', description: 'A sarcastic Rust reviewer' })

describe('making an agent from a description', () => {
  it('answers at once, and has the files written', async () => {
    const body = { key: 'ferris', type: 'predefined', description: 'A sarcastic Rust reviewer' }
    const made = await test.send('POST', '/v1/agents', { body })
    expect([made.status, made.body.status]).toEqual([201, 'summoning'])
    await test.runtime.settle()
    expect(await summonOf('ferris')).toMatchObject({ state: 'completed', kind: 'create' })
    expect(await agentOf('ferris')).toMatchObject({
      status: 'active',
      displayName: 'Ferris',
      expertise: 'Reviews Rust.',
    })
    expect(await soulOf('ferris')).toBe('Sarcastic.\n')
  })

  it('keeps the templates when told to', async () => {
    const agent = await test.addAgent({ type: 'predefined', description: 'x', summon: false })
    expect(await agentOf(agent)).toMatchObject({ status: 'active' })
    expect((await test.send('GET', `/v1/agents/${agent}/summon`)).status).toBe(404)
  })

  it.each<[string, ModelReply, string, RegExp]>([
    ['answers with prose', 'I would rather not.', 'failed', /unusable_answer/],
    ['is broken', { status: 400 }, 'failed', /model_failed/],
    ['answers with nothing', { text: '' }, 'failed', /model|unusable/],
    ['gives one file', file('SOUL.md', 'Only this.'), 'partial', /did not write it/],
    [
      'is cut off in the last file',
      {
        text: `${file('SOUL.md', 'Only this.')}<file name="AGENTS.md">\nRev`,
        finishReason: 'length',
      },
      'partial',
      /token limit/,
    ],
  ])('leaves a usable agent when the model %s', async (_what, answer, state, why) => {
    reply = () => answer
    const agent = await reviewer()
    await test.runtime.settle()
    const summon = await summonOf(agent)
    expect(summon.state).toBe(state)
    expect(JSON.stringify(summon)).toMatch(why)
    expect(await agentOf(agent)).toMatchObject({ status: 'active' })
    expect(await soulOf(agent)).toMatch(state === 'partial' ? /^Only this/ : /# Who you are/)
  })
})

describe('having files written again', () => {
  it.each(['summon', 'resummon'])('POST …/%s leaves what was edited by hand', async (action) => {
    const agent = await test.addAgent({ type: 'predefined', description: 'x', summon: false })
    await test.send('PUT', `/v1/agents/${agent}/files/SOUL.md`, { body: { content: 'By hand.' } })
    const { status, body } = await post(agent, action)
    expect([status, body.state]).toEqual([202, 'running'])
    await test.runtime.settle()
    expect(await soulOf(agent)).toBe('By hand.')
    const tools = await test.send('GET', `/v1/agents/${agent}/files/TOOLS.md`)
    expect(tools.body.content).toBe('clippy\n')
  })

  it('POST …/regenerate changes what the model gives, and keeps the old text', async () => {
    const agent = await reviewer()
    await test.runtime.settle()
    reply = () => file('SOUL.md', 'Kind.')
    expect((await post(agent, 'regenerate', { instruction: 'Be kinder' })).status).toBe(202)
    await test.runtime.settle()
    expect(await soulOf(agent)).toBe('Kind.\n')
    const versions = await test.send('GET', `/v1/agents/${agent}/files/SOUL.md/versions`)
    expect(versions.body.items[0].content).toBe('Sarcastic.\n')
    expect((await post(agent, 'regenerate')).status).toBe(400)
  })

  it('POST …/cancel-summon stops it, and what the model still answers is not stored', async () => {
    const asked = deferred<void>()
    const answer = deferred<string>()
    reply = () => {
      asked.resolve()
      return answer.promise
    }
    const agent = await reviewer()
    await asked.promise
    expect((await post(agent, 'summon')).status).toBe(409)
    expect((await post(agent, 'cancel-summon')).body.state).toBe('cancelled')
    expect((await post(agent, 'cancel-summon')).status).toBe(409)
    answer.resolve(ANSWER)
    await test.runtime.settle()
    expect(await soulOf(agent)).toMatch(/# Who you are/)
    expect(await agentOf(agent)).toMatchObject({ status: 'active' })
  })

  it('asks for no body', async () => {
    const agent = await test.addAgent({ type: 'predefined', description: 'x', summon: false })
    for (const headers of [
      {},
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'text/plain' },
    ]) {
      for (const action of ['summon', 'resummon']) {
        const { status } = await test.send('POST', `/v1/agents/${agent}/${action}`, { headers })
        expect(status).toBe(202)
        await test.runtime.settle()
      }
    }
    const { status, body } = await test.send('POST', `/v1/agents/${agent}/regenerate`)
    expect([status, body.issues[0].path]).toEqual([400, 'instruction'])
  })

  it('is not cut short by making the agent open: that waits until it has ended', async () => {
    const asked = deferred<void>()
    const answer = deferred<string>()
    reply = () => {
      asked.resolve()
      return answer.promise
    }
    const agent = await reviewer()
    await asked.promise
    const open = () => test.send('PATCH', `/v1/agents/${agent}`, { body: { type: 'open' } })
    const refused = await open()
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.detail).toMatch(/Wait for it, or cancel it/)
    answer.resolve(ANSWER)
    await test.runtime.settle()
    expect((await open()).body).toMatchObject({ type: 'open', status: 'active' })
  })

  it('tells what the files are written from to nobody but operators', async () => {
    const agent = await reviewer()
    await test.runtime.settle()
    const key = await test.addKey({ userId: 'ana' })
    const told = await test.send('GET', `/v1/agents/${agent}/summon`, { key })
    expect([told.status, told.body.state]).toEqual([200, 'completed'])
    expect(JSON.stringify(told.body)).not.toContain('sarcastic')
    expect((await summonOf(agent)).instruction).toBe('A sarcastic Rust reviewer')
  })

  it('begins once when it is asked for several times at once', async () => {
    const agent = await test.addAgent({ type: 'predefined', description: 'x', summon: false })
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(agent, 'summon')))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      '202',
      '409',
      '409',
      '409',
    ])
    await test.runtime.settle()
  })

  it('asks for a predefined agent with a description, and a key for every user', async () => {
    const open = await test.addAgent({ description: 'x' })
    const silent = await test.addAgent({ type: 'predefined' })
    const key = await test.addKey({ userId: 'ana' })
    expect((await post(open, 'summon')).status).toBe(400)
    expect((await post(silent, 'summon')).status).toBe(400)
    expect((await post('nobody', 'summon')).status).toBe(404)
    expect((await post(silent, 'summon', {}, key)).status).toBe(403)
    expect((await post(silent, 'cancel-summon', {}, key)).status).toBe(403)
  })
})

describe('GET …/summon/events', () => {
  it('tells how it begins, each file, and how it ends', async () => {
    const answer = deferred<string>()
    reply = () => answer.promise
    const agent = await reviewer()
    const key = await test.addKey({})
    const response = await test.api.request(`/v1/agents/${agent}/summon/events`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    answer.resolve(ANSWER)
    const text = await response.text()
    expect([...text.matchAll(/^event: (.+)$/gm)].map(([, event]) => event)).toEqual([
      'started',
      'file_generated',
      'file_generated',
      'file_generated',
      'file_generated',
      'completed',
    ])
    expect(text).toContain('"name":"SOUL.md"')
  })
})

describe('without a model', () => {
  it('an agent has its templates, and a summon says why', async () => {
    const plain = await openTestApi()
    try {
      await plain.runtime.start()
      const described = { key: 'plain', type: 'predefined', description: 'A reviewer' }
      const made = await plain.send('POST', '/v1/agents', { body: described })
      expect(made.body.warnings).toEqual([expect.stringContaining('No chat model is configured')])
      const agent = 'plain'
      expect((await plain.send('GET', `/v1/agents/${agent}`)).body.status).toBe('active')
      await plain.send('POST', `/v1/agents/${agent}/summon`, { body: {} })
      await plain.runtime.settle()
      const { body } = await plain.send('GET', `/v1/agents/${agent}/summon`)
      expect(body).toMatchObject({ state: 'failed', error: { code: 'no_model' } })
      expect((await plain.send('GET', `/v1/agents/${agent}`)).body.status).toBe('active')
    } finally {
      await plain.close()
    }
  })
})
