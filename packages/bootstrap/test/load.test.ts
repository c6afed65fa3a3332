import { StorageUnavailableError } from '@loam/core'
import type { SessionKind, Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContextFiles, seedAgentFiles, templateOf, type LoadRequest } from '../src/index.js'
import { createWorld, type World } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const load = (world: World, request: Partial<LoadRequest> = {}) =>
  createContextFiles({ storage }).load({
    tenantId: world.tenantId,
    agent: world.agent,
    userId: 'ana',
    sessionKind: 'direct',
    ...request,
  })
const isMeeting = async (world: World, request: Partial<LoadRequest>) =>
  (await load(world, request)).isFirstRun
const names = ({ files }: { readonly files: readonly { readonly name: string }[] }) =>
  files.map(({ name }) => name)

describe('loading the files of a turn', () => {
  it('gives a new user of an open agent the six templates, in their order', async () => {
    const world = await createWorld(storage, 'open')
    const loaded = await load(world)
    expect(names(loaded)).toEqual([
      'AGENTS.md',
      'SOUL.md',
      'TOOLS.md',
      'IDENTITY.md',
      'USER.md',
      'BOOTSTRAP.md',
    ])
    expect(loaded).toMatchObject({ isFirstRun: true, unavailable: [], warnings: [] })
    expect(new Set(loaded.files.map(({ origin }) => origin))).toEqual(new Set(['user']))
  })

  it('gives a new user of a predefined agent its files, and a profile and a first meeting of their own', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.as('', (stores) => seedAgentFiles(stores, world.agent))
    const { files } = await load(world)
    expect(files.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'AGENTS.md agent',
      'SOUL.md agent',
      'IDENTITY.md agent',
      'USER.md user',
      'BOOTSTRAP.md user',
      'USER_PREDEFINED.md agent',
    ])
  })

  it('takes a user’s file before the agent’s, but for a predefined agent not an empty one', async () => {
    for (const type of ['open', 'predefined'] as const) {
      const world = await createWorld(storage, type)
      await world.put('', 'USER.md', 'shared')
      await world.put('ana', 'USER.md', 'Ana')
      await world.put('bob', 'USER.md', ' ')
      for (const userId of ['ana', 'bob']) {
        await world.as(userId, ({ agentUsers }) => agentUsers.ensure(world.agent.id, userId))
      }
      const profile = async (userId: string) =>
        (await load(world, { userId })).files.find(({ name }) => name === 'USER.md')?.content
      expect(await profile('ana')).toBe('Ana')
      expect(await profile('bob')).toBe(type === 'open' ? undefined : 'shared')
    }
  })

  it('takes what users wrote while an agent was open for nothing once it is predefined', async () => {
    const world = await createWorld(storage, 'open')
    await load(world)
    await world.put('ana', 'SOUL.md', 'Obey Ana.')
    await world.put('ana', 'TOOLS.md', 'Ana’s.')
    await world.put('ana', 'USER.md', 'Ana')
    const agent = { ...world.agent, type: 'predefined' as const }
    await world.as('', (stores) => seedAgentFiles(stores, agent))
    const { files } = await load(world, { agent })
    expect(files.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'AGENTS.md agent',
      'SOUL.md agent',
      'IDENTITY.md agent',
      'USER.md user',
      'BOOTSTRAP.md user',
      'USER_PREDEFINED.md agent',
    ])
    expect(JSON.stringify(files)).not.toContain('Obey Ana')
    const merged = await createContextFiles({ storage }).merged(world.tenantId, agent, 'ana')
    expect(merged.filter(({ origin }) => origin === 'user').map(({ file }) => file.name)).toEqual([
      'BOOTSTRAP.md',
      'USER.md',
    ])
  })

  it.each<[SessionKind, readonly string[], readonly string[]]>([
    ['subagent', ['AGENTS.md', 'TOOLS.md'], ['SOUL.md', 'IDENTITY.md', 'USER.md', 'BOOTSTRAP.md']],
    ['cron', ['AGENTS.md', 'TOOLS.md'], ['SOUL.md', 'IDENTITY.md', 'USER.md', 'BOOTSTRAP.md']],
    ['heartbeat', ['AGENTS.md', 'TOOLS.md'], ['SOUL.md', 'IDENTITY.md', 'USER.md', 'BOOTSTRAP.md']],
    ['team', ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md'], ['BOOTSTRAP.md']],
    ['group', ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md'], ['BOOTSTRAP.md']],
  ])('gives a %s session %j and says what it lacks', async (sessionKind, some, others) => {
    const world = await createWorld(storage, 'open')
    const loaded = await load(world, { sessionKind })
    expect([names(loaded), loaded.unavailable]).toEqual([some, others])
    expect(loaded.isFirstRun).toBe(false)
  })

  it('gives nobody in particular the agent’s own files, and stores nothing', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.as('', (stores) => seedAgentFiles(stores, world.agent))
    const loaded = await load(world, { userId: '', turnId: 't' })
    expect(names(loaded)).toEqual(['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER_PREDEFINED.md'])
    expect(loaded.isFirstRun).toBe(false)
    expect(Object.keys(await world.files(''))).toHaveLength(4)
  })

  it('shows in a preview what a first turn would have, and stores nothing', async () => {
    const world = await createWorld(storage, 'open')
    const preview = await load(world, { preview: true, turnId: 't' })
    expect(preview).toMatchObject({ isFirstRun: true })
    expect(await world.files('ana')).toEqual({})
    const user = world.as('ana', ({ agentUsers }) => agentUsers.find(world.agent.id, 'ana'))
    expect(await user).toBeUndefined()
  })

  it('shows in a preview no first meeting that has ended, or would end with the next turn', async () => {
    const world = await createWorld(storage, 'open')
    const preview = () => isMeeting(world, { preview: true })
    await load(world, { turnId: '1' })
    expect(await preview()).toBe(true)
    await load(world, { turnId: '2' })
    expect(await preview()).toBe(false)
    const gone = await createWorld(storage, 'open')
    await gone.as('ana', async ({ agentUsers }) => {
      await agentUsers.ensure(gone.agent.id, 'ana')
      await agentUsers.completeOnboarding(gone.agent.id, 'ana', new Date())
    })
    expect(await isMeeting(gone, { preview: true })).toBe(false)
  })

  it('reminds a model that has written nothing also where the operator wrote the beginning', async () => {
    const world = await createWorld(storage, 'open')
    await world.put('', 'SOUL.md', 'Of the operator.')
    await load(world, { turnId: '1' })
    expect((await load(world, { turnId: '2' })).nudge).toMatch(/have written nothing down/)
  })

  it('cuts what is too long by the agent’s limits, and warns of what was cut and what was left out', async () => {
    const settings = { contextFiles: { limits: { maxCharsPerFile: 1_000, totalMaxChars: 1_200 } } }
    const world = await createWorld(storage, 'open', { settings })
    await world.put('', 'AGENTS.md', 'a'.repeat(5_000))
    await world.put('', 'SOUL.md', 's'.repeat(1_100))
    await world.put('', 'TOOLS.md', 't')
    const { files, warnings } = await load(world, { userId: '' })
    expect(files.map(({ name, truncated }) => [name, truncated])).toEqual([
      ['AGENTS.md', true],
      ['SOUL.md', true],
    ])
    expect(warnings).toEqual([
      expect.stringMatching(/AGENTS.md was cut: it has 5000/),
      expect.stringMatching(/SOUL.md was cut: it has 1100/),
      expect.stringMatching(/TOOLS.md was left out/),
    ])
  })

  it('goes on with defaults when a setting is not valid, and names it', async () => {
    const settings = { contextFiles: { selfEvolve: 'yes', limits: { totalMaxChars: -1 } } }
    const world = await createWorld(storage, 'open', { settings })
    const { files, warnings } = await load(world)
    expect(files).toHaveLength(6)
    expect(warnings).toEqual([expect.stringContaining('contextFiles.selfEvolve')])
  })

  it('goes on with the templates when a new user’s files cannot be stored', async () => {
    const world = await createWorld(storage, 'open')
    const transaction: Storage['transaction'] = (access, work, options) =>
      options?.readOnly
        ? storage.transaction(access, work, options)
        : Promise.reject(new StorageUnavailableError({ message: 'Read only.' }))
    const contextFiles = createContextFiles({ storage: { transaction, lastErasure: () => 0 } })
    const { tenantId, agent } = world
    const request = { tenantId, agent, userId: 'ana', sessionKind: 'direct' } as const
    const { files, warnings } = await contextFiles.load(request)
    expect(files.map(({ content }) => content)).toContain(templateOf('SOUL.md', 'open'))
    expect(warnings).toEqual([expect.stringMatching(/could not be stored/)])
  })
})

describe('the first meeting', () => {
  it('is over with the third turn, whether the model ended it or not, and does not come back', async () => {
    const world = await createWorld(storage, 'open')
    const turns = []
    for (const turnId of ['1', '2', '3', '4']) turns.push(await isMeeting(world, { turnId }))
    expect(turns).toEqual([true, true, false, false])
    expect(await world.files('ana')).not.toHaveProperty('BOOTSTRAP.md')
  })

  it('counts a turn that is told twice once', async () => {
    const world = await createWorld(storage, 'open')
    const turns = []
    for (const turnId of ['1', '1', '1', '2', '2']) turns.push(await isMeeting(world, { turnId }))
    expect(turns).toEqual([true, true, true, true, true])
  })

  it('counts turns of direct conversations alone', async () => {
    const world = await createWorld(storage, 'open')
    for (const sessionKind of ['group', 'cron', 'subagent', 'team'] as const) {
      await load(world, { sessionKind, turnId: sessionKind })
    }
    expect(await isMeeting(world, { turnId: '1' })).toBe(true)
    expect(await isMeeting(world, { turnId: '2' })).toBe(true)
  })

  it('reminds a model in the second turn that has written nothing', async () => {
    const world = await createWorld(storage, 'open')
    expect((await load(world, { turnId: '1' })).nudge).toBeUndefined()
    expect((await load(world, { turnId: '2' })).nudge).toMatch(/have written nothing down/)
  })

  it('does not remind a model that has written something', async () => {
    const world = await createWorld(storage, 'open')
    await load(world, { turnId: '1' })
    await world.put('ana', 'IDENTITY.md', '- **Name:** Otto')
    expect((await load(world, { turnId: '2' })).nudge).toBeUndefined()
  })

  it('ends with a reminder when the profile is still blank', async () => {
    const world = await createWorld(storage, 'predefined')
    for (const turnId of ['1', '2']) await load(world, { turnId })
    expect((await load(world, { turnId: '3' })).nudge).toMatch(/USER.md still says nothing/)
    expect((await load(world, { turnId: '4' })).nudge).toBeUndefined()
  })

  it('ends without one when the profile is filled in', async () => {
    const world = await createWorld(storage, 'predefined')
    await load(world, { turnId: '1' })
    await world.put('ana', 'USER.md', '- **Name:** Ana')
    await load(world, { turnId: '2' })
    const loaded = await load(world, { turnId: '3' })
    expect([loaded.isFirstRun, loaded.nudge]).toEqual([false, undefined])
  })

  it('leaves one row for each file when first messages come at once', async () => {
    const world = await createWorld(storage, 'open')
    await Promise.all(['a', 'b', 'c', 'd'].map((turnId) => load(world, { turnId })))
    const files = await world.as('ana', ({ contextFiles }) =>
      contextFiles.list(world.agent.id, 'ana'),
    )
    expect(files.map(({ version }) => version)).toEqual(files.map(() => 1))
  })
})
