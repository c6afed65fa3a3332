import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConflictError, silentLogger, type Scope } from '@loam/core'
import { createOpenAiCompletionModel } from '@loam/models'
import { startModelServer, type ModelReply, type ModelServer } from '@loam/models/testing'
import { DEFAULT_TENANT_ID, type Agent, type Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChat, type Chat } from '../../src/chat/create-chat.js'
import { createRuntime, loadConfig, type Runtime } from '../../src/index.js'

let home = ''
let server: ModelServer
let storage: Storage
let loam: Runtime
let chat: Chat
let agent: Agent
let made = 0
/** Done while the model is asked for the n-th time, and what it answers then. */
let whileAsked: (index: number) => ModelReply | Promise<ModelReply> = () => ({ status: 404 })
let before = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loam-erased-'))
  server = await startModelServer({ chat: ({ index }) => whileAsked(index - before) })
  storage = await createTestStorage()
  const config = loadConfig({ LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' }, { cwd: home })
  loam = await createRuntime(config, { storage })
  chat = createChat({
    ...loam,
    logger: silentLogger,
    completion: createOpenAiCompletionModel({ baseUrl: server.baseUrl, model: 'scripted' }),
  })
})
afterAll(async () => {
  await loam.close()
  await storage.close()
  await server.close()
  await rm(home, { recursive: true, force: true })
})
beforeEach(async () => {
  made += 1
  before = server.count('chat')
  agent = await loam.agents.create(DEFAULT_TENANT_ID, {
    key: `helper-${made}`,
    type: 'open',
    displayName: undefined,
    description: undefined,
    settings: {},
  })
})

const scope = (): Scope => ({ tenantId: DEFAULT_TENANT_ID, agentId: agent.id, userId: 'ana' })
const say = (content: string, turnId?: string) =>
  chat({
    tenantId: DEFAULT_TENANT_ID,
    agent,
    userId: 'ana',
    sessionKey: 'talk',
    messages: [{ role: 'user', content }],
    turnId,
  })
const held = async () =>
  Object.entries(await loam.userMemory.holdings(scope())).filter(([, count]) => count > 0)
const isConflict = (error: unknown) => ConflictError.isInstance(error)

const write = (path: string) => ({
  id: path,
  name: 'write_file',
  arguments: JSON.stringify({
    path,
    content: 'Ana drinks tea.',
    append: path.endsWith('b.md'),
  }),
})
const deleteSession = () =>
  storage.transaction({ tenantId: DEFAULT_TENANT_ID, userId: 'ana' }, async ({ sessions }) => {
    const session = await sessions.findByKey(agent.id, 'talk')
    return session && (await sessions.delete(session.id))
  })
const talk = () =>
  storage.transaction({ tenantId: DEFAULT_TENANT_ID, userId: 'ana' }, async (stores) => {
    const session = await stores.sessions.findByKey(agent.id, 'talk')
    return session && (await stores.messages.range(session.id, 1, 99)).map(({ id }) => id)
  })

describe('a turn whose user is erased while it is answered', () => {
  it('leaves nothing behind, and says why', async () => {
    whileAsked = async () => {
      await loam.userMemory.erase(scope())
      return 'Green tea is nice.'
    }
    await expect(say('I drink green tea.')).rejects.toThrow('was erased after this work began')
    expect(await held()).toEqual([])
  })

  it('writes no file that the model wants to write after it', async () => {
    whileAsked = async (index) => {
      if (index > 0) return 'Done.'
      await loam.userMemory.erase(scope())
      const paths = ['memory/a.md', 'memory/b.md', 'USER.md']
      return { text: null, toolCalls: paths.map(write) }
    }
    await expect(say('I drink green tea.')).rejects.toSatisfy(isConflict)
    expect(await held()).toEqual([])
  })

  it('does not hinder the turn after it', async () => {
    whileAsked = () => 'Hello again.'
    await loam.userMemory.erase(scope())
    await expect(say('Hello')).resolves.toMatchObject({ text: 'Hello again.' })
  })
})

describe('a turn whose session is deleted while it is answered', () => {
  it.each(['the first turn', 'a later turn'])('does not make it anew in %s', async (which) => {
    whileAsked = () => 'Hello.'
    if (which === 'a later turn') await say('Hello')
    whileAsked = async () => {
      await deleteSession()
      return 'Green tea is nice.'
    }
    await expect(say('I drink green tea.')).rejects.toSatisfy(isConflict)
    expect(await talk()).toBeUndefined()
  })

  it('does not answer into the one that was made in its place', async () => {
    whileAsked = async (index) => {
      if (index > 0) return 'Second.'
      await deleteSession()
      await say('Anew', 'new')
      return 'First.'
    }
    await expect(say('I drink green tea.')).rejects.toSatisfy(isConflict)
    expect(await talk()).toEqual(['new/said/0', 'new/answer'])
  })
})
