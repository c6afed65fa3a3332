import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSkillArchive } from '@loam/skills'
import { ApiError, ConnectionError, createClient, everyItem } from '../src/index.js'
import { answerWith, breakOff, startFaultyServer, startLossyProxy } from './faulty-server.js'
import { openWorld, type World } from './open-world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.client.createAgent({ key: 'helper' })
})
afterAll(async () => {
  await world.close()
})

const ana = { agent: 'helper', userId: 'ana' }
const said = (content: string) => [{ role: 'user' as const, content }]

describe('a method', () => {
  it('takes path, query and body side by side', async () => {
    const { client } = world
    const stored = await client.storeMessages({
      ...ana,
      session: 'first',
      messages: said('I never eat peanuts.'),
      newSession: { title: 'Food' },
    })
    expect(stored).toMatchObject({ session: 'first', stored: 1, duplicates: 0 })
    const found = await client.searchMemory({ ...ana, query: 'peanuts' })
    expect(found.results[0]).toMatchObject({ text: 'user: I never eat peanuts.' })
    const page = await client.listMessages({ ...ana, session: 'first', order: 'desc' })
    expect(page.items).toMatchObject([{ role: 'user', content: 'I never eat peanuts.' }])
  })

  it('needs no input where nothing is required', async () => {
    const { items } = await world.client.listAgents()
    expect(items.map(({ key }) => key)).toContain('helper')
  })

  it.each(['memory/a b.md', 'memory/ü?#%.md', 'memory/2026/deep/er.md'])(
    'finds a path again: %s',
    async (path) => {
      await world.client.putDocument({ ...ana, path, content: `It is ${path}.` })
      const document = await world.client.getDocument({ ...ana, path })
      expect(document).toMatchObject({ path, content: `It is ${path}.` })
    },
  )

  it('keeps users of odd names apart', async () => {
    const userId = 'a/b?c=d#e %'
    await world.client.putDocument({
      agent: 'helper',
      userId,
      path: 'memory/me.md',
      content: 'Mine.',
    })
    const memory = await world.client.listUserMemory({ agent: 'helper', userId })
    expect(memory.items).toMatchObject([{ kind: 'document', text: 'Mine.' }])
    const others = await world.client.listUserMemory({ agent: 'helper', userId: 'a' })
    expect(others.items).toStrictEqual([])
  })

  it.each(['', '.', '..'])('refuses a part of a path that a URL would lose: %j', async (agent) => {
    await expect(world.client.getAgent({ agent })).rejects.toThrow(TypeError)
  })

  it('refuses a field that has no place', async () => {
    const input = { agent: 'helper', user: 'ana' }
    await expect(world.client.getAgent(input)).rejects.toThrow('There is no field "user" here.')
  })

  it('uploads files and gives their bytes back', async () => {
    const { client } = world
    const content = new TextEncoder().encode('---\nname: brew\ndescription: Brews tea\n---\n# Tea')
    const file = await writeSkillArchive('brew', [{ path: 'SKILL.md', content }])
    const { items } = await client.uploadSkills({ file, visibility: 'public' })
    expect(items).toMatchObject([{ outcome: 'created', skill: { slug: 'brew' } }])
    const bytes = await client.getSkillFile({ skill: 'brew', path: 'SKILL.md' })
    expect(new TextDecoder().decode(bytes)).toContain('# Tea')
    const archive = await client.downloadSkill({ skill: 'brew' })
    expect(String.fromCharCode(...archive.subarray(0, 2))).toBe('PK')
  })

  it('tells of events as they come', async () => {
    world.answer(() => ({ status: 500 }))
    const agent = await world.client.createAgent({
      key: 'written',
      type: 'predefined',
      description: 'A gardener.',
    })
    const events: (string | undefined)[] = []
    for await (const { event } of world.client.followSummon({ agent: agent.key }))
      events.push(event)
    expect(events).toStrictEqual(['started', 'failed'])
  })

  it('lists page by page', async () => {
    for (const key of ['one', 'two', 'three']) {
      await world.client.putDocument({
        agent: 'helper',
        userId: 'pia',
        path: `memory/${key}.md`,
        content: key,
      })
    }
    const paths: string[] = []
    const documents = everyItem((page) =>
      world.client.listDocuments({ agent: 'helper', userId: 'pia', limit: 1, ...page }),
    )
    for await (const { path } of documents) paths.push(path)
    expect(paths.toSorted()).toStrictEqual(['memory/one.md', 'memory/three.md', 'memory/two.md'])
  })
})

describe('a fault', () => {
  it('says what is wrong with the input, and where', async () => {
    const faulty = { ...ana, session: 's', messages: [{ role: 'bard', content: 'x' }] }
    const error = await world.client
      .storeMessages(faulty as never)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_input',
      issues: [{ path: 'messages.0.role' }],
      requestId: expect.stringMatching(/./),
    })
  })

  it('tells a key that is wrong', async () => {
    const client = world.connect({ apiKey: 'wrong' })
    await expect(client.listAgents()).rejects.toMatchObject({
      status: 401,
      code: 'unauthenticated',
    })
  })

  it('tells a server that is not there', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1', apiKey: 'secret', retries: 0 })
    const error = await client.listAgents().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('127.0.0.1:1'),
    })
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it('tells a server that takes too long', async () => {
    await using server = await startFaultyServer(() => {})
    const client = createClient({ url: server.url, apiKey: 'k', timeoutMs: 50, retries: 0 })
    await expect(client.listAgents()).rejects.toMatchObject({ code: 'timed_out' })
  })

  it('tells what a proxy in between says', async () => {
    await using server = await startFaultyServer((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    })
    const client = createClient({ url: server.url, apiKey: 'k' })
    await expect(client.listAgents()).rejects.toMatchObject({ status: 502, code: 'http_502' })
  })

  it('tells of a page that stands in the place of an answer', async () => {
    await using server = await startFaultyServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please log in</h1>')
    })
    const client = createClient({ url: server.url, apiKey: 'k' })
    const unreadable = { name: 'ApiError', status: 200, code: 'unreadable' }
    await expect(client.listAgents()).rejects.toMatchObject(unreadable)
    await expect(client.followSummon({ agent: 'a' }).next()).rejects.toMatchObject(unreadable)
  })

  it('tells an answer that breaks off in its middle', async () => {
    await using server = await startFaultyServer(breakOff)
    const client = createClient({ url: server.url, apiKey: 'k', retries: 0 })
    await expect(client.listAgents()).rejects.toMatchObject({
      name: 'ConnectionError',
      code: 'unreachable',
    })
  })

  it('tells an answer that never ends', async () => {
    await using server = await startFaultyServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"items":')
    })
    const client = createClient({ url: server.url, apiKey: 'k', timeoutMs: 50, retries: 0 })
    await expect(client.listAgents()).rejects.toMatchObject({ code: 'timed_out' })
  })

  it.each([301, 302, 303, 307, 308])(
    'tells of a redirect (%i), and goes nowhere',
    async (status) => {
      await using elsewhere = await startFaultyServer(answerWith('{"items":[],"stored":1}'))
      await using server = await startFaultyServer((_, response) => {
        response.writeHead(status, { location: `${elsewhere.url}/v1` }).end()
      })
      const client = createClient({ url: server.url, apiKey: 'k' })
      const storing = client.storeMessages({ ...ana, session: 's', messages: said('Secret.') })
      await expect(storing).rejects.toMatchObject({
        name: 'ApiError',
        status,
        code: 'redirected',
        message: expect.stringContaining(`${elsewhere.url}/v1`),
      })
      expect([server.count(), elsewhere.count()]).toStrictEqual([1, 0])
    },
  )

  it.each(['', 'localhost', 'ftp://x', 'not a url', 'http://ana:secret@x', 'http://x/?a=secret'])(
    'refuses the address %j',
    (url) => {
      const create = () => createClient({ url, apiKey: 'k' })
      expect(create).toThrow(TypeError)
      expect(create).not.toThrow('secret')
    },
  )

  it.each(['', 'secret\n', 'sec\0ret', 'secret one', 'sécret', undefined])(
    'refuses the key %j',
    (apiKey) => {
      const create = () => createClient({ url: 'http://127.0.0.1:1', apiKey })
      expect(create).toThrow(/^apiKey must be [^sé]*letters/)
    },
  )
})

describe('a request', () => {
  it('is sent again when the server asks for that', async () => {
    await using server = await startFaultyServer(
      (_, response) => response.writeHead(429, { 'retry-after': '0' }).end(),
      (_, response) => response.writeHead(503, { 'retry-after': '0' }).end(),
      answerWith('{"items":[]}'),
    )
    const client = createClient({ url: server.url, apiKey: 'k' })
    expect(await client.listAgents()).toStrictEqual({ items: [] })
    expect(server.count()).toBe(3)
  })

  it('stores nothing twice when its answer is lost', async () => {
    await using proxy = await startLossyProxy(world.url, { losing: 2 })
    const client = world.connect({ url: proxy.url })
    const stored = await client.storeMessages({ ...ana, session: 'lossy', messages: said('Once.') })
    expect(stored).toMatchObject({ stored: 0, duplicates: 1 })
    const { items } = await world.client.listMessages({ ...ana, session: 'lossy' })
    expect(items).toMatchObject([{ content: 'Once.' }])
  })

  it.each([
    ['storeMessages', { messages: [{ id: undefined, role: 'user', content: 'Once.' }] }],
    ['reportRun', { runId: undefined, status: 'failed' }],
    ['buildContext', { turnId: undefined }],
  ] as const)('of %s has an id also where one is there without a value', async (name, input) => {
    const bodies: unknown[] = []
    await using server = await startFaultyServer((request, response) => {
      void (async () => {
        bodies.push(await json(request))
        if (bodies.length === 1) request.socket.destroy()
        else answerWith('{}')(request, response)
      })()
    })
    const client = createClient({ url: server.url, apiKey: 'k' })
    await client[name]({ ...ana, session: 'named', ...input } as never)
    expect(JSON.stringify(bodies[0])).toMatch(/"(id|runId|turnId)":"[\w-]{36}"/)
    expect(bodies[1]).toStrictEqual(bodies[0])
  })

  it('is sent again when its answer breaks off in the middle', async () => {
    await using server = await startFaultyServer(breakOff, answerWith('{"items":[]}'))
    const client = createClient({ url: server.url, apiKey: 'k' })
    expect(await client.listAgents()).toStrictEqual({ items: [] })
  })

  it('is not sent again after 503 when it may have been done', async () => {
    await using server = await startFaultyServer((_, response) =>
      response.writeHead(503, { 'retry-after': '0' }).end(),
    )
    const client = createClient({ url: server.url, apiKey: 'k' })
    await expect(client.createAgent({ key: 'maybe' })).rejects.toMatchObject({ status: 503 })
    expect(server.count()).toBe(1)
  })

  it('goes with its body through a fetch of one’s own', async () => {
    const sent: unknown[] = []
    const client = world.connect({
      fetch: async (...input) => {
        sent.push(await new Request(...input).json())
        return await fetch(...input)
      },
    })
    const { stored } = await client.storeMessages({ ...ana, session: 'own', messages: said('Hi.') })
    expect(stored).toBe(1)
    expect(sent).toMatchObject([{ userId: 'ana', messages: [{ content: 'Hi.' }] }])
  })

  it('is not sent again when it might do its work twice', async () => {
    await using proxy = await startLossyProxy(world.url, { losing: 1 })
    const client = world.connect({ url: proxy.url })
    await expect(client.createAgent({ key: 'maybe' })).rejects.toBeInstanceOf(ConnectionError)
    expect(proxy.count()).toBe(1)
  })

  it('ends when its signal aborts', async () => {
    await using server = await startFaultyServer(() => {})
    const client = createClient({ url: server.url, apiKey: 'k' })
    const signal = AbortSignal.timeout(50)
    await expect(client.listAgents({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('keeps a path in front of the API', async () => {
    const paths: (string | undefined)[] = []
    await using server = await startFaultyServer((request, response) => {
      paths.push(request.url)
      answerWith('{"items":[]}')(request, response)
    })
    await createClient({ url: `${server.url}/memory`, apiKey: 'k' }).listAgents({ limit: 3 })
    expect(paths).toStrictEqual(['/memory/v1/agents?limit=3'])
  })
})
