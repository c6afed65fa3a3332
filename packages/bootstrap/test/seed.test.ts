import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedAgentFiles, seedUserFiles, templateOf, type KnownUser } from '../src/index.js'
import { NOW, createWorld, type World } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const SIX = ['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md', 'BOOTSTRAP.md']

const seed = (world: World, userId = 'ana', known?: KnownUser) =>
  world.as(userId, (stores) =>
    seedUserFiles(stores, { agent: world.agent, userId, now: NOW, known }),
  )

describe('seedAgentFiles', () => {
  it('gives an open agent nothing', async () => {
    const world = await createWorld(storage, 'open')
    expect(await world.as('', (stores) => seedAgentFiles(stores, world.agent))).toEqual([])
    expect(await world.files('')).toEqual({})
  })

  it('gives a predefined agent AGENTS, SOUL, IDENTITY and USER_PREDEFINED, never USER, TOOLS or BOOTSTRAP', async () => {
    const world = await createWorld(storage, 'predefined')
    const written = await world.as('', (stores) => seedAgentFiles(stores, world.agent))
    expect(written).toEqual(['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER_PREDEFINED.md'])
  })

  it('never touches a file that says something, and fills one that is empty', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.put('', 'SOUL.md', 'Mine.')
    await world.put('', 'AGENTS.md', '')
    const again = () => world.as('', (stores) => seedAgentFiles(stores, world.agent))
    expect(await again()).toEqual(['AGENTS.md', 'IDENTITY.md', 'USER_PREDEFINED.md'])
    expect(await again()).toEqual([])
    expect(await world.files('')).toMatchObject({
      'SOUL.md': 'Mine.',
      'AGENTS.md': templateOf('AGENTS.md', 'predefined'),
    })
  })
})

describe('where the files of the seed stand', () => {
  // Seed, sections 1 and 4: at agent level of a predefined agent, of each user of an open one, of each user of a predefined one.
  it.each([
    ['AGENTS.md', true, true, false],
    ['SOUL.md', true, true, false],
    ['TOOLS.md', false, true, false], // Decision h: not seeded at agent level, but accepted.
    ['IDENTITY.md', true, true, false],
    ['USER.md', false, true, true],
    ['BOOTSTRAP.md', false, true, true],
    ['USER_PREDEFINED.md', true, false, false],
    ['DELEGATION.md', false, false, false],
    ['TEAM.md', false, false, false],
    ['AVAILABILITY.md', false, false, false],
    ['MEMORY.md', false, false, false],
    ['memory.md', false, false, false],
    ['MEMORY.json', false, false, false],
  ])('%s: agent level %s, users of open %s, users of predefined %s', async (name, ...expected) => {
    const [open, predefined] = [
      await createWorld(storage, 'open'),
      await createWorld(storage, 'predefined'),
    ]
    const shared = await predefined.as('', (stores) => seedAgentFiles(stores, predefined.agent))
    const seeded = [shared, await seed(open), await seed(predefined)]
    expect(seeded.map((names) => names.includes(name))).toEqual(expected)
  })
})

describe('seedUserFiles', () => {
  it('open, new user: the six templates, or in their place what the operator wrote for all users', async () => {
    const world = await createWorld(storage, 'open')
    await world.put('', 'SOUL.md', 'Of the operator.')
    await world.put('', 'TOOLS.md', ' ')
    expect((await seed(world)).toSorted()).toEqual(SIX.toSorted())
    expect(await world.files('ana')).toMatchObject({
      'SOUL.md': 'Of the operator.',
      'TOOLS.md': templateOf('TOOLS.md', 'open'),
      'USER.md': templateOf('USER.md', 'open'),
    })
  })

  it('open, second identical call: nothing', async () => {
    const world = await createWorld(storage, 'open')
    await seed(world)
    expect(await seed(world)).toEqual([])
  })

  it('open, BOOTSTRAP.md was deleted at a later meeting: nothing', async () => {
    const world = await createWorld(storage, 'open')
    await seed(world)
    await world.as('ana', ({ contextFiles }) =>
      contextFiles.delete(world.agent.id, 'ana', 'BOOTSTRAP.md'),
    )
    expect(await seed(world)).toEqual([])
  })

  it('open, some files are there at the first meeting: those that are missing', async () => {
    const world = await createWorld(storage, 'open')
    await world.put('ana', 'SOUL.md', 'Mine.')
    expect((await seed(world)).toSorted()).toEqual(
      SIX.filter((name) => name !== 'SOUL.md').toSorted(),
    )
    expect(await world.files('ana')).toMatchObject({ 'SOUL.md': 'Mine.' })
  })

  it('open, no files at all at a later meeting: seeds normally', async () => {
    const world = await createWorld(storage, 'open')
    await world.as('ana', ({ agentUsers }) => agentUsers.ensure(world.agent.id, 'ana'))
    expect(await seed(world)).toHaveLength(6)
  })

  it('open, no files at all after the first meeting has ended: everything but BOOTSTRAP.md', async () => {
    const world = await createWorld(storage, 'open')
    await world.as('ana', async ({ agentUsers }) => {
      await agentUsers.ensure(world.agent.id, 'ana')
      await agentUsers.completeOnboarding(world.agent.id, 'ana', NOW)
    })
    expect(await seed(world)).not.toContain('BOOTSTRAP.md')
  })

  it('predefined, the agent’s USER.md has content: the user’s equals it', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.put('', 'USER.md', 'The owner lives in Porto.')
    expect((await seed(world)).toSorted()).toEqual(['BOOTSTRAP.md', 'USER.md'])
    expect(await world.files('ana')).toEqual({
      'USER.md': 'The owner lives in Porto.',
      'BOOTSTRAP.md': templateOf('BOOTSTRAP.md', 'predefined'),
    })
  })

  it('predefined, the agent has no USER.md: the template', async () => {
    const world = await createWorld(storage, 'predefined')
    await seed(world)
    expect(await world.files('ana')).toMatchObject({
      'USER.md': templateOf('USER.md', 'predefined'),
    })
  })

  it('predefined, the user has a USER.md: it is not overwritten', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.put('ana', 'USER.md', '- **Name:** Ana')
    expect(await seed(world)).toEqual(['BOOTSTRAP.md'])
    expect(await world.files('ana')).toMatchObject({ 'USER.md': '- **Name:** Ana' })
  })

  it('predefined, an operator wrote rules for all users: nobody is asked for a profile', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.as('', (stores) => seedAgentFiles(stores, world.agent))
    await world.put('', 'USER_PREDEFINED.md', 'All users are employees.')
    expect(await seed(world)).toEqual([])
  })

  it('the channel knows name and time zone: the profile is filled in, and there is no first meeting', async () => {
    const world = await createWorld(storage, 'predefined')
    const known = { displayName: 'Ana\n# Admin', timezone: 'Europe/Lisbon' }
    expect(await seed(world, 'ana', known)).toEqual(['USER.md'])
    const { 'USER.md': profile = '' } = await world.files('ana')
    expect(profile).toContain('- **Name:** Ana Admin')
    expect(profile).toContain('- **Timezone:** Europe/Lisbon')
    expect(await seed(world, 'ana')).toEqual([])
  })

  it('a group gets no first meeting, since it could not hold one', async () => {
    const world = await createWorld(storage, 'open')
    expect(await seed(world, 'group:7')).not.toContain('BOOTSTRAP.md')
  })

  it('nobody gets nothing', async () => {
    const world = await createWorld(storage, 'open')
    expect(await seed(world, '')).toEqual([])
    expect(await world.files('')).toEqual({})
  })

  it('first messages that come at once leave one row for each file', async () => {
    const world = await createWorld(storage, 'open')
    const written = await Promise.all(Array.from({ length: 6 }, () => seed(world)))
    expect(written.flat().toSorted()).toEqual(SIX.toSorted())
  })
})
