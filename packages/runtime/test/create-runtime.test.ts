import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConfigurationError,
  InvalidInputError,
  ModelError,
  NotFoundError,
  fixedClock,
  generateId,
  type ChatModel,
  type DeliveryMessage,
  type EmbeddingModel,
  type EventBus,
  type Scope,
} from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createInlineBus, createRuntime, loadConfig, type RuntimeOverrides } from '../src/index.js'
import type { RunReport, Runtime } from '../src/runtime.js'

let storage: Storage
let home: string
beforeAll(async () => {
  storage = await createTestStorage()
  home = await mkdtemp(join(tmpdir(), 'loam-runtime-'))
})
afterAll(async () => {
  await storage.close()
  await rm(home, { recursive: true })
})

function runtimeWith(
  overrides: RuntimeOverrides = {},
  env: Record<string, string> = {},
): Promise<Runtime> {
  const config = loadConfig(
    { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory', ...env },
    { cwd: home },
  )
  return createRuntime(config, { storage, pollMs: 20, ...overrides })
}

const wordCounts: EmbeddingModel = {
  provider: 'test',
  model: 'word-counts',
  dimensions: 2,
  trust: { vectorWeight: 0.5, minSimilarity: 0 },
  remote: false,
  embed: async (texts) => texts.map((text) => [text.length, text.split(' ').length]),
}

const trip = [
  'We fly to Lisbon on 3 June with Bob Smith, and we stay for a week.',
  'Great! Shall I look for a hotel near the river for the two of you?',
  'Yes please, the budget is 900 euros, and Bob wants a balcony. We decided against the hostel.',
]

/** A new agent and a conversation of Ann's with it. */
async function converse(runtime: Runtime, settings: Record<string, unknown> = {}): Promise<Scope> {
  const agentId = generateId()
  await storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, ({ agents }) =>
    agents.create({
      id: agentId,
      key: `agent-${agentId.slice(-12)}`,
      type: 'open',
      displayName: undefined,
      description: undefined,
      settings,
    }),
  )
  const scope = { tenantId: DEFAULT_TENANT_ID, agentId, userId: 'ann' }
  await runtime.memory.storeMessages(
    scope,
    { key: 'chat' },
    trip.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  )
  return scope
}

async function episodesOf({ tenantId, agentId, userId }: Scope, now = new Date()) {
  const page = await storage.transaction({ tenantId, userId }, ({ episodes }) =>
    episodes.list(agentId, { limit: 10, now }),
  )
  return page.items
}

const completed: RunReport = { runId: 'run-1', status: 'completed' }

describe('reportRun', () => {
  it('leads to an episode', async () => {
    await using runtime = await runtimeWith()
    const scope = await converse(runtime)
    await runtime.start()
    const { runId, eventId } = await runtime.reportRun(scope, 'chat', completed)
    expect(runId).toBe('run-1')
    expect(eventId).toMatch(/^[\da-f-]{36}$/)
    await runtime.settle()
    expect(await episodesOf(scope)).toMatchObject([{ firstSequence: 1, lastSequence: 3 }])
  })

  it('counts a report that comes twice once', async () => {
    await using runtime = await runtimeWith()
    const scope = await converse(runtime)
    const reports = await Promise.all([
      runtime.reportRun(scope, 'chat', completed),
      runtime.reportRun(scope, 'chat', { ...completed, status: 'failed' }),
    ])
    expect(reports[1]).toEqual(reports[0])
    const other = await runtime.reportRun(scope, 'chat', { ...completed, runId: 'run-2' })
    expect(other.eventId).not.toBe(reports[0]?.eventId)
  })

  it('finds no session of another user, of another agent, or that is not there', async () => {
    await using runtime = await runtimeWith()
    const scope = await converse(runtime)
    for (const [other, key] of [
      [{ ...scope, userId: 'ben' }, 'chat'],
      [{ ...scope, userId: '' }, 'chat'],
      [{ ...scope, agentId: generateId() }, 'chat'],
      [scope, 'nowhere'],
    ] as const) {
      await expect(runtime.reportRun(other, key, completed)).rejects.toThrow(NotFoundError)
    }
  })

  it.each([
    ['an empty run id', { ...completed, runId: '' }, ['runId']],
    ['a run id with NUL', { ...completed, runId: 'a\0' }, ['runId']],
    ['an endless run id', { ...completed, runId: 'a'.repeat(501) }, ['runId']],
    ['an unknown status', { ...completed, status: 'fine' }, ['status']],
    ['negative tokens', { ...completed, usage: { inputTokens: -1 } }, ['usage.inputTokens']],
    [
      'an endless summary',
      { ...completed, compactionSummary: 'a'.repeat(200_001) },
      ['compactionSummary'],
    ],
  ])('refuses %s', async (_what, report, paths) => {
    await using runtime = await runtimeWith()
    const scope = await converse(runtime)
    const error = await runtime
      .reportRun(scope, 'chat', report as RunReport)
      .catch((e: unknown) => e)
    expect(InvalidInputError.isInstance(error)).toBe(true)
    expect((error as InvalidInputError).issues.map(({ path }) => path)).toEqual(paths)
  })

  it('waits until the session has rested, unless it was compacted', async () => {
    const clock = fixedClock(new Date())
    await using runtime = await runtimeWith({ clock })
    const scope = await converse(runtime, { consolidation: { idleSeconds: 600 } })
    await runtime.start()
    await runtime.settle()
    await runtime.reportRun(scope, 'chat', completed)
    await runtime.settle()
    expect(await episodesOf(scope)).toEqual([])
    clock.advance(600_000)
    await runtime.settle()
    expect(await episodesOf(scope)).toHaveLength(1)

    const compacted = await converse(runtime, { consolidation: { idleSeconds: 600 } })
    await runtime.reportRun(compacted, 'chat', {
      ...completed,
      compactionSummary: 'Ann travels to Lisbon.',
    })
    await runtime.settle()
    expect(await episodesOf(compacted)).toMatchObject([{ method: 'compaction' }])
  })
})

describe('createRuntime', () => {
  it('embeds everything anew after a change of model', async () => {
    await using before = await runtimeWith()
    const scope = await converse(before)
    await using after = await runtimeWith({ embeddings: { ...wordCounts, model: 'another' } })
    const { tenantId } = scope
    expect((await after.status(tenantId)).index.withoutVector).toBeGreaterThanOrEqual(3)
    await after.start()
    await vi.waitFor(async () => {
      expect((await after.status(tenantId)).index.withoutVector).toBe(0)
    })
  })

  it('lets deliveries wait until it is started', async () => {
    await using runtime = await runtimeWith()
    const scope = await converse(runtime)
    await runtime.reportRun(scope, 'chat', completed)
    await expect(runtime.settle()).rejects.toThrow('start()')
    expect((await runtime.status(DEFAULT_TENANT_ID)).deliveries).toContainEqual(
      expect.objectContaining({ consumer: 'run.completed.episodic', state: 'pending' }),
    )
    await runtime.start()
    await runtime.start()
    await runtime.settle()
    expect(await episodesOf(scope)).toHaveLength(1)
  })

  it('tries again what a model was too busy for, and records each call', async () => {
    const clock = fixedClock(new Date())
    let calls = 0
    const chat: ChatModel = {
      provider: 'test',
      model: 'busy',
      chat: () => Promise.reject(new Error('Only chatObject is expected.')),
      async chatObject({ schema }) {
        calls += 1
        if (calls === 1) throw new ModelError({ message: 'Overloaded.', retryable: true })
        return schema.parse({ summary: 'A trip to Lisbon.', abstract: 'A trip.', topics: [] })
      },
    }
    await using runtime = await runtimeWith({ chat, clock })
    const scope = await converse(runtime)
    const since = clock.now()
    await runtime.start()
    await runtime.settle()
    await runtime.reportRun(scope, 'chat', completed)
    await runtime.settle()
    expect(await episodesOf(scope)).toEqual([])
    clock.advance(5_000)
    await runtime.settle()
    expect(await episodesOf(scope)).toMatchObject([{ method: 'model' }])
    const totals = await storage.transaction(
      { tenantId: scope.tenantId, userId: scope.userId },
      ({ modelCalls }) => modelCalls.totals(since),
    )
    expect(totals.calls).toBe(2)
  })

  it('waits with what a model set up wrongly is asked for, says why, and goes on when it is mended', async () => {
    const clock = fixedClock(new Date())
    let isMended = false
    let calls = 0
    const chat: ChatModel = {
      provider: 'test',
      model: 'locked',
      chat: () => Promise.reject(new Error('Only chatObject is expected.')),
      async chatObject({ schema }) {
        calls += 1
        if (!isMended) {
          const details = { status: 401 }
          throw new ModelError({
            message: 'No.',
            retryable: false,
            reason: 'unauthorized',
            details,
          })
        }
        return schema.parse({ summary: 'A trip to Lisbon.', abstract: 'A trip.', topics: [] })
      },
    }
    await using runtime = await runtimeWith({ chat, clock })
    const scopes = [await converse(runtime), await converse(runtime)]
    await runtime.start()
    for (const scope of scopes) await runtime.reportRun(scope, 'chat', completed)
    for (let day = 0; day < 40; day += 1) {
      await runtime.settle()
      clock.advance(120_000)
    }
    await runtime.settle()
    const { checks, waiting } = await runtime.status(DEFAULT_TENANT_ID)
    expect(checks.find(({ name }) => name === 'chat')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('LOAM_MODEL_API_KEY') as string,
    })
    expect(waiting).toMatchObject([{ reason: 'model_failed: No.', count: 2 }])
    // Of two that come at once, one is sent.
    expect(calls).toBeLessThan(60)
    isMended = true
    for (let look = 0; look < 2; look += 1) {
      clock.advance(120_000)
      await runtime.settle()
    }
    for (const scope of scopes) expect(await episodesOf(scope)).toMatchObject([{ method: 'model' }])
    expect((await runtime.status(DEFAULT_TENANT_ID)).waiting).toEqual([])
  })

  it('gives vectors later to what was stored while the embedding model was away', async () => {
    let away = true
    const embeddings: EmbeddingModel = {
      provider: 'test',
      model: `away-${generateId()}`,
      dimensions: 3,
      trust: { vectorWeight: 0.5, minSimilarity: 0 },
      remote: true,
      async embed(texts) {
        if (away) throw new ModelError({ message: 'Away.', retryable: true })
        return texts.map(() => [1, 0, 0])
      },
    }
    await using runtime = await runtimeWith({ embeddings })
    const scope = await converse(runtime)
    away = false
    await runtime.start()
    await runtime.settle()
    const { withoutVector } = await storage.transaction(
      { tenantId: scope.tenantId, userId: scope.userId },
      async (stores) => {
        const { provider, model, dimensions } = embeddings
        const { id } = await stores.embeddingSpaces.ensure({ provider, model, dimensions })
        const groups = await stores.sessions.findByKey(scope.agentId, 'chat')
        const chunks = await stores.chunks.withoutVector({
          spaceId: id,
          groupId: groups!.id,
          limit: 10,
        })
        return { withoutVector: chunks }
      },
    )
    expect(withoutVector).toEqual([])
  })

  it('deletes expired episodes when it starts', async () => {
    const clock = fixedClock(new Date())
    const scope = await (async () => {
      await using runtime = await runtimeWith({ clock })
      const made = await converse(runtime, { consolidation: { episodicTtlDays: 1 } })
      await runtime.start()
      await runtime.reportRun(made, 'chat', completed)
      await runtime.settle()
      return made
    })()
    const past = clock.now()
    expect(await episodesOf(scope, past)).toHaveLength(1)
    clock.advance(2 * 86_400_000)
    await using runtime = await runtimeWith({ clock })
    await runtime.start()
    await expect.poll(() => episodesOf(scope, past), { timeout: 30_000 }).toEqual([])
  })

  it('says how it stands', async () => {
    await using runtime = await runtimeWith()
    const checks = await runtime.ready()
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['storage', true],
      ['schema', true],
      ['embeddings', true],
      ['chat', true],
    ])
  })

  it('tells whether the queue answers, which a process that only hands jobs over can do without', async () => {
    const away: EventBus = {
      ...createInlineBus(),
      ping: () => Promise.reject(new Error('redis://:hush@cache is away')),
    }
    for (const handlers of [true, false]) {
      await using runtime = await runtimeWith({ bus: away, handlers })
      const checks = await runtime.ready()
      expect(checks).toContainEqual({
        name: 'queue',
        ok: false,
        required: handlers,
        detail: 'redis does not answer; jobs wait in the database',
      })
    }
  })

  it('only hands deliveries to the bus where it has no handlers', async () => {
    const published: DeliveryMessage[] = []
    const bus: EventBus = {
      ...createInlineBus(),
      publish: async (messages) => void published.push(...messages),
      subscribe: () => Promise.reject(new Error('Nobody handles anything here.')),
    }
    await using runtime = await runtimeWith({ bus, handlers: false })
    const scope = await converse(runtime)
    await runtime.start()
    await runtime.reportRun(scope, 'chat', completed)
    await vi.waitUntil(() => published.length === 1)
    expect(published).toMatchObject([{ consumer: 'run.completed.episodic', attempt: 1 }])
    expect(await episodesOf(scope)).toEqual([])
  })
})

describe('the key', () => {
  it('is generated once, kept for the owner alone, and accepted', async () => {
    await using runtime = await runtimeWith()
    const key = runtime.config.apiKey ?? ''
    expect(key).toMatch(/^loam_[0-9A-Za-z]{40}$/)
    const path = join(home, 'api-key')
    expect((await readFile(path, 'utf8')).trim()).toBe(key)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await runtime.authenticate(key)).toMatchObject({
      tenantId: DEFAULT_TENANT_ID,
      name: 'embedded',
      userId: undefined,
    })
    await using again = await runtimeWith()
    expect(again.config.apiKey).toBe(key)
  })

  it.each(['', 'wrong', 'x'.repeat(100_000), 'loam_\0'])('is not %j', async (secret) => {
    await using runtime = await runtimeWith()
    expect(await runtime.authenticate(secret.slice(0, 2_000))).toBeUndefined()
  })

  it('is the one that is given, and then no other', async () => {
    await using generated = await runtimeWith()
    const old = generated.config.apiKey ?? ''
    await using given = await runtimeWith({}, { LOAM_API_KEY: 'a-key-of-16-chars' })
    expect(await given.authenticate('a-key-of-16-chars')).toMatchObject({ name: 'environment' })
    expect(await given.authenticate(old)).toBeUndefined()
    await using replaced = await runtimeWith({}, { LOAM_API_KEY: 'another-key-of-20-ch' })
    expect(await replaced.authenticate('a-key-of-16-chars')).toBeUndefined()
  })

  describe('of a database that several processes share', () => {
    const shared = { LOAM_DATABASE_URL: 'postgres://db/loam' }
    const [first, second] = ['the-first-key-of-all', 'the-second-key-of-all']
    const sharedRuntime = (store: Storage, key: string, overrides: RuntimeOverrides = {}) =>
      runtimeWith({ storage: store, ...overrides }, { ...shared, LOAM_API_KEY: key })

    it('is the first that an API was started with, which no later start replaces', async () => {
      await using store = await createTestStorage()
      await using runtime = await sharedRuntime(store, first)
      await expect(sharedRuntime(store, second)).rejects.toThrow('loam keys add')
      expect(await runtime.authenticate(first)).toMatchObject({ name: 'environment' })
      expect(await runtime.authenticate(second)).toBeUndefined()
      await using again = await sharedRuntime(store, first)
      expect(again.config.apiKey).toBe(first)
    })

    it('is one of two that come at once, and the other is refused', async () => {
      await using store = await createTestStorage()
      const starts = await Promise.allSettled([
        sharedRuntime(store, first),
        sharedRuntime(store, second),
      ])
      expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      for (const start of starts) if (start.status === 'fulfilled') await start.value.close()
    })

    it('is left alone by a process that serves no API', async () => {
      await using store = await createTestStorage()
      await using worker = await sharedRuntime(store, second, { acceptsKey: false })
      expect(await worker.authenticate(second)).toBeUndefined()
      await using runtime = await sharedRuntime(store, first)
      await using another = await sharedRuntime(store, second, { acceptsKey: false })
      expect(await runtime.authenticate(first)).toBeDefined()
      expect(await another.authenticate(second)).toBeUndefined()
    })
  })

  it.each([
    { what: 'nothing', content: '' },
    { what: 'a line break', content: '\n' },
    { what: 'too short a key', content: 'x'.repeat(15) },
    { what: 'too long a key', content: 'x'.repeat(513) },
    { what: 'far too much', content: 'x'.repeat(100_000) },
    { what: 'bytes that are no text', content: Buffer.from('00ff80fe'.repeat(8), 'hex') },
    { what: 'letters beyond ASCII', content: 'ä'.repeat(20) },
    { what: 'blanks', content: ' '.repeat(20) },
    { what: 'a key with a blank', content: 'a-key-of-16-chars and-more\n' },
    { what: 'two lines', content: 'a-key-of-16-chars\na-key-of-16-chars\n' },
    { what: 'a key and two line breaks', content: 'a-key-of-16-chars\n\n' },
  ])('is not taken from a file that holds $what', async ({ content }) => {
    const folder = await mkdtemp(join(home, 'faulty-'))
    await writeFile(join(folder, 'api-key'), content)
    const refused = runtimeWith({}, { LOAM_HOME: folder })
    await expect(refused).rejects.toThrow(ConfigurationError)
    await expect(refused).rejects.toThrow(join(folder, 'api-key'))
    await expect(refused).rejects.toThrow('Delete it to have a new one made')
  })

  it.each(['', '\n', '\r\n'])('is taken from a file that ends in %j', async (end) => {
    const folder = await mkdtemp(join(home, 'kept-'))
    await writeFile(join(folder, 'api-key'), `a-key-of-16-chars${end}`, { mode: 0o644 })
    await using runtime = await runtimeWith({}, { LOAM_HOME: folder })
    expect(await runtime.authenticate('a-key-of-16-chars')).toMatchObject({ name: 'embedded' })
    expect((await stat(join(folder, 'api-key'))).mode & 0o777).toBe(0o600)
  })

  it('is not taken from a folder, or a link that leads nowhere', async () => {
    const folder = await mkdtemp(join(home, 'faulty-'))
    await mkdir(join(folder, 'api-key'))
    const refused = runtimeWith({}, { LOAM_HOME: folder })
    await expect(refused).rejects.toThrow(ConfigurationError)
    await expect(refused).rejects.toThrow(`${join(folder, 'api-key')} is not a file`)
    await rmdir(join(folder, 'api-key'))
    await symlink('nowhere', join(folder, 'api-key'))
    await expect(runtimeWith({}, { LOAM_HOME: folder })).rejects.toThrow(ConfigurationError)
  })
})

describe('the home folder', () => {
  it.each(['file', 'file/home', 'file/a/b'])('is refused when it is %s', async (path) => {
    await writeFile(join(home, 'file'), '')
    const folder = join(home, path)
    for (const LOAM_DATABASE_URL of ['pglite:memory', '']) {
      const refused = runtimeWith({}, { LOAM_HOME: folder, LOAM_DATABASE_URL })
      await expect(refused).rejects.toThrow(ConfigurationError)
      await expect(refused).rejects.toThrow(folder)
      await expect(refused).rejects.toMatchObject({ issues: [{ path: 'LOAM_HOME' }] })
    }
  })

  it.runIf(existsSync('/proc/self'))('is refused where nothing can be made', async () => {
    for (const LOAM_HOME of ['/proc/none', '/proc/none/home']) {
      await expect(runtimeWith({}, { LOAM_HOME })).rejects.toThrow('Set LOAM_HOME')
    }
    // It is there, and takes no file.
    await expect(runtimeWith({}, { LOAM_HOME: '/proc/self' })).rejects.toThrow('Set LOAM_HOME')
  })
})
