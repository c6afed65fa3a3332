import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Connection } from '../src/api/connect.js'
import { ensureAgent } from '../src/api/ensure-agent.js'
import { route, withQuery } from '../src/api/route.js'
import type { EpisodeItem, FoundItems } from '../src/api/shapes.js'
import { importConversations, type ImportOptions } from '../src/import-conversations.js'
import type { ImportRecord } from '../src/importers/import-record.js'
import {
  readConversations,
  type ReadConversationsOptions,
} from '../src/importers/read-conversations.js'
import { fixture, withFile } from './importers/read-file.js'

let home: string
let connection: Connection

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loam-import-'))
  connection = await connect(
    { jobs: true },
    { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory', LOAM_LOG_LEVEL: 'silent' },
  )
})

afterAll(async () => {
  await connection.close()
  await rm(home, { recursive: true })
})

async function importFile(
  path: string,
  options: ReadConversationsOptions & Partial<ImportOptions> & { readonly agent: string },
) {
  await ensureAgent(connection.client, options.agent)
  const { records } = await readConversations(path, options)
  return await importConversations(records(), { client: connection.client, ...options })
}

async function messagesOf(agent: string, session: string, userId: string) {
  const path = route`/v1/agents/${agent}/sessions/${session}/messages`
  const { items } = await connection.client.get<{
    readonly items: readonly { id: string; content: unknown; createdAt: string }[]
  }>(withQuery(path, { userId, limit: 200 }))
  return items
}

function lines(count: number, from = 0) {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({ role: 'user', content: `message number ${from + index}` }),
  ).join('\n')
}

function said(content: string) {
  return { role: 'user', content }
}

describe('importConversations', () => {
  it.each([
    ['chatgpt-conversations.json', 2, 15],
    ['openai-messages.json', 1, 7],
    ['locomo.json', 3, 5],
  ])('stores %s once, however often it is imported', async (name, sessions, messages) => {
    const options = { agent: 'twice', userId: 'ana' }
    expect(await importFile(fixture(name), options)).toMatchObject({
      sessions,
      messages,
      stored: messages,
      duplicates: 0,
      runs: sessions,
      badCount: 0,
    })
    expect(await importFile(fixture(name), options)).toMatchObject({
      sessions,
      messages,
      stored: 0,
      duplicates: messages,
      badCount: 0,
    })
  })

  it('continues an import that was cut off, in the right order', async () => {
    await withFile(lines(250), async (path) => {
      const options = { agent: 'cut', userId: 'ana', session: 's' }
      await ensureAgent(connection.client, 'cut')
      const { records } = await readConversations(path, options)
      const cut = importConversations(until(records(), 220), {
        client: connection.client,
        agent: 'cut',
      })
      await expect(cut).rejects.toThrow('cut off')
      expect(await importFile(path, options)).toMatchObject({ stored: 50, duplicates: 200 })
    })
    const first = await messagesOf('cut', 's', 'ana')
    expect(first.map(({ content }) => content)).toEqual(
      Array.from({ length: 200 }, (_, index) => `message number ${index}`),
    )
  })

  it('stores only what is new of a file that has grown', async () => {
    const options = { agent: 'grown', userId: 'ana', session: 's' }
    await withFile(lines(3), async (path) => await importFile(path, options))
    await withFile(`${lines(3)}\n${lines(2, 3)}`, async (path) => {
      expect(await importFile(path, options)).toMatchObject({ stored: 2, duplicates: 3, runs: 1 })
    })
  })

  it('stops at a bad record before anything of its batch is stored', async () => {
    await withFile(`${lines(2)}\n{"role":"robot"}\n${lines(1, 2)}`, async (path) => {
      const options = { agent: 'bad', userId: 'ana', session: 's' }
      await expect(importFile(path, options)).rejects.toThrow(/line 3 .*role.* Nothing was stored/)
      expect(await importFile(path, { ...options, skipBad: true })).toMatchObject({
        stored: 3,
        badCount: 1,
        bad: [{ place: 'line 3' }],
      })
    })
  })

  it('names the line of a message that the API refuses, and stores the rest with skipBad', async () => {
    const longId = JSON.stringify({ id: 'x'.repeat(501), role: 'user', content: 'hi' })
    await withFile(`${lines(2)}\n${longId}\n${lines(1, 2)}`, async (path) => {
      const options = { agent: 'refused', userId: 'ana', session: 's' }
      await expect(importFile(path, options)).rejects.toThrow(/line 3 .*id: /)
      expect(await importFile(path, { ...options, skipBad: true })).toMatchObject({
        stored: 3,
        badCount: 1,
      })
    })
  })

  it.each([
    ['an id that another message has', { id: 'm-1', role: 'user', content: 'other' }, /m-1/],
    ['a message beyond what a request holds', said('x'.repeat(11_000_000)), /larger than/],
    [
      'a field that may not be',
      '{"role":"user","content":"x","metadata":{"__proto__":1}}',
      /proto/,
    ],
  ])('finds the line of %s, and stores the rest with skipBad', async (what, bad, problem) => {
    const good = Array.from({ length: 9 }, (_, index) => ({
      ...said(`${index}`),
      id: `m-${index}`,
    }))
    const all = [...good.slice(0, 5), bad, ...good.slice(5)]
    const content = all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    await withFile(content.join('\n'), async (path) => {
      const options = { agent: 'halves', userId: 'ana', session: what }
      const stopped = importFile(path, options)
      await expect(stopped).rejects.toThrow(/^The record at line 6 cannot be imported/)
      await expect(stopped).rejects.toThrow(problem)
      expect(await importFile(path, { ...options, skipBad: true })).toMatchObject({
        badCount: 1,
        bad: [{ place: 'line 6', problem: expect.stringMatching(problem) as string }],
      })
      const stored = await messagesOf('halves', what, 'ana')
      expect(stored.map((message) => message.content)).toEqual(good.map((line) => line.content))
    })
  })

  it("skips messages for a session that is another user's", async () => {
    const content = ['ana', 'bob'].map((userId) =>
      JSON.stringify({ ...said(`I am ${userId}`), session: 'shared', userId }),
    )
    await withFile(content.join('\n'), async (path) => {
      const options = { agent: 'shared', skipBad: true }
      expect(await importFile(path, options)).toMatchObject({
        stored: 1,
        runs: 1,
        bad: [{ place: 'line 2' }],
      })
    })
  })

  it('blames no record for an agent that does not exist', async () => {
    const { records } = await readConversations(fixture('locomo.json'))
    const imported = importConversations(records(), {
      client: connection.client,
      agent: 'missing',
      skipBad: true,
    })
    await expect(imported).rejects.toThrow(/^There is no agent "missing"/)
  })

  it('cuts a title that is too long between two characters', async () => {
    const title = `${'t'.repeat(499)}🍎🍎`
    const mapping = { n: { message: { ...said('hi'), author: { role: 'user' } } } }
    await withFile(JSON.stringify([{ id: 'c', title, mapping }]), async (path) => {
      expect(await importFile(path, { agent: 'titles', userId: 'ana' })).toMatchObject({
        stored: 1,
      })
    })
    const path = route`/v1/agents/titles/sessions/${'chatgpt:c'}`
    expect(await connection.client.get(withQuery(path, { userId: 'ana' }))).toMatchObject({
      title: 't'.repeat(499),
    })
  })

  it('reports bad records by place and problem alone', async () => {
    await withFile(`${lines(1)}\nnot JSON`, async (path) => {
      const { bad } = await importFile(path, { agent: 'bad', userId: 'ana', skipBad: true })
      expect(bad.map((report) => Object.keys(report))).toEqual([['place', 'problem']])
    })
  })

  it('reports no run of a session of which nothing could be stored', async () => {
    const bad = JSON.stringify({ id: 'x'.repeat(501), role: 'user', content: 'hi' })
    await withFile(bad, async (path) => {
      const options = { agent: 'none', userId: 'ana', skipBad: true }
      expect(await importFile(path, options)).toMatchObject({ stored: 0, runs: 0, badCount: 1 })
    })
  })

  it("gives the API's own words for a missing user", async () => {
    await withFile(lines(1), async (path) => {
      await expect(importFile(path, { agent: 'nobody' })).rejects.toThrow(/^userId: /)
    })
  })

  it('only reads without a client', async () => {
    const { records } = await readConversations(fixture('locomo.json'))
    const summary = await importConversations(records(), { client: undefined, agent: 'dry' })
    expect(summary).toMatchObject({ sessions: 3, messages: 5, stored: 0, runs: 0 })
  })

  it('makes what was said findable, and episodes of it', async () => {
    const example = new URL('../examples/cottage.jsonl', import.meta.url).pathname
    expect((await readFile(example, 'utf8')).trim().split('\n')).toHaveLength(32)
    await importFile(example, { agent: 'loop', userId: 'nell' })
    await connection.settle()
    const { items } = await connection.client.get<{ readonly items: readonly EpisodeItem[] }>(
      '/v1/agents/loop/episodic?userId=nell',
    )
    expect(items.map(({ session }) => session)).toEqual(['midsummer', 'the-swarm', 'moving-in'])
    const found = await connection.client.post<FoundItems>('/v1/agents/loop/memory/search', {
      query: 'Which hive was lent to her?',
      userId: 'nell',
      sources: ['messages'],
    })
    expect(found.results.map(({ messageId }) => messageId)).toContain('the-swarm-5')
  })

  it('keeps text with marks of direction, emoji and other scripts as it is', async () => {
    const session = 'chatgpt:6683a1b2-0001-8000-a000-1d6b2f3c4e5f'
    const messages = await messagesOf('twice', session, 'ana')
    expect(messages.find(({ id }) => id === 'u2')?.content).toContainEqual({
      type: 'text',
      text: 'Is this canker? 🍎 \u202Eabc',
    })
    expect(messages.find(({ id }) => id === 'a2')?.content).toBe(
      'Yes, cut it back to healthy wood.\r\n日本語も大丈夫。',
    )
  })
})

async function* until(
  records: AsyncIterable<ImportRecord>,
  count: number,
): AsyncGenerator<ImportRecord> {
  let seen = 0
  for await (const record of records) {
    seen += 1
    if (seen > count) throw new Error('cut off')
    yield record
  }
}
