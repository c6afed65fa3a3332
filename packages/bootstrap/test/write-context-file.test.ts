import { ForbiddenError, InvalidInputError } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createContextFiles,
  readContextFile,
  seedUserFiles,
  writeContextFile,
  type ContextFileName,
  type MayEditGroup,
  type WriteRequest,
} from '../src/index.js'
import { NOW, createWorld, type World } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const write = (
  world: World,
  name: ContextFileName,
  request: Partial<WriteRequest> = {},
  mayEdit?: MayEditGroup,
) => {
  const userId = request.userId ?? 'ana'
  const { agent } = world
  return world.as(userId, (stores) =>
    writeContextFile(
      stores,
      { agent, userId, name, content: 'new', now: NOW, ...request },
      mayEdit,
    ),
  )
}
const everybody = () => true
const fail = () => Promise.reject(new Error('down'))
const read = (world: World, name: ContextFileName, userId = 'ana') =>
  world.as(userId, (stores) => readContextFile(stores, { agent: world.agent, userId, name }))
const meet = (world: World, userId = 'ana') =>
  world.as(userId, (stores) => seedUserFiles(stores, { agent: world.agent, userId, now: NOW }))

describe('writing a context file', () => {
  it.each(['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER.md'] as const)(
    'open agents: %s is the user’s own',
    async (name) => {
      const world = await createWorld(storage, 'open')
      await write(world, name)
      expect([await world.files('ana'), await world.files('')]).toEqual([{ [name]: 'new' }, {}])
    },
  )

  it.each(['AGENTS.md', 'SOUL.md', 'TOOLS.md', 'IDENTITY.md', 'USER_PREDEFINED.md'] as const)(
    'predefined agents: %s is refused, with the reason',
    async (name) => {
      const world = await createWorld(storage, 'predefined')
      await expect(write(world, name)).rejects.toThrow(/only its owner can edit/)
      expect([await world.files('ana'), await world.files('')]).toEqual([{}, {}])
    },
  )

  it('open agents: BOOTSTRAP.md is changed while a first meeting is held, and not invented', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'BOOTSTRAP.md')).rejects.toThrow(/no first meeting/)
    await meet(world)
    expect(await write(world, 'BOOTSTRAP.md')).toMatchObject({ outcome: 'written' })
  })

  it('predefined agents: USER.md is the user’s own', async () => {
    const world = await createWorld(storage, 'predefined')
    expect(await write(world, 'USER.md')).toMatchObject({ outcome: 'written' })
    expect(await world.files('ana')).toEqual({ 'USER.md': 'new' })
  })

  it('predefined agents that may evolve write SOUL.md for all users, and nothing else', async () => {
    const settings = { contextFiles: { selfEvolve: true } }
    const world = await createWorld(storage, 'predefined', { settings })
    await write(world, 'SOUL.md')
    expect([await world.files('ana'), await world.files('')]).toEqual([{}, { 'SOUL.md': 'new' }])
    await expect(write(world, 'IDENTITY.md')).rejects.toThrow(ForbiddenError)
  })

  it.each([
    ['open', ''],
    ['open', ' \n\t'],
    ['predefined', ''],
    ['predefined', ' \n\t'],
  ] as const)(
    '%s agents: BOOTSTRAP.md with %j ends the first meeting for good',
    async (type, content) => {
      const world = await createWorld(storage, type)
      await meet(world)
      expect(await write(world, 'BOOTSTRAP.md', { content })).toEqual({ outcome: 'onboarded' })
      await meet(world)
      expect(await world.files('ana')).not.toHaveProperty('BOOTSTRAP.md')
      const user = await world.as('ana', ({ agentUsers }) => agentUsers.find(world.agent.id, 'ana'))
      expect(user?.onboardedAt).toEqual(NOW)
    },
  )

  it('a late first message does not bring a finished meeting back', async () => {
    const world = await createWorld(storage, 'open')
    await Promise.all([
      meet(world),
      write(world, 'BOOTSTRAP.md', { content: '' }),
      meet(world),
      meet(world),
    ])
    await meet(world)
    expect(await world.files('ana')).not.toHaveProperty('BOOTSTRAP.md')
  })

  it('a finished meeting is not begun again by writing its file', async () => {
    const world = await createWorld(storage, 'open')
    await meet(world)
    await write(world, 'BOOTSTRAP.md', { content: '' })
    await expect(write(world, 'BOOTSTRAP.md')).rejects.toThrow(/does not come back/)
    const contextFiles = createContextFiles({ storage })
    const place = { tenantId: world.tenantId, agentId: world.agent.id, userId: 'ana' }
    const put = contextFiles.put({ ...place, name: 'BOOTSTRAP.md' }, 'again')
    await expect(put).rejects.toThrow(/does not come back/)
  })

  it('predefined agents: BOOTSTRAP.md with a text is refused, and says how to end the meeting', async () => {
    const world = await createWorld(storage, 'predefined')
    await expect(write(world, 'BOOTSTRAP.md')).rejects.toThrow(/empty content/)
  })

  it.each([
    ['open', 'SOUL.md', 'x'],
    ['open', 'BOOTSTRAP.md', ''],
    ['predefined', 'USER.md', 'x'],
    ['predefined', 'BOOTSTRAP.md', ''],
  ] as const)(
    '%s agents: %s without a user is never written for everyone',
    async (type, name, content) => {
      const world = await createWorld(storage, type)
      const refused = write(world, name, { userId: '', content })
      await expect(refused).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
      expect(await world.files('')).toEqual({})
    },
  )

  it('rules for all users are no file of one user', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'USER_PREDEFINED.md')).rejects.toThrow(/Write USER.md/)
  })

  it('a text above one megabyte is refused by its size, and NUL does not reach the store', async () => {
    const world = await createWorld(storage, 'open')
    const large = write(world, 'SOUL.md', { content: 'ä'.repeat(600_000) })
    await expect(large).rejects.toThrow(/1,200,000 bytes/)
    await write(world, 'SOUL.md', { content: 'a\0b' })
    expect(await world.files('ana')).toEqual({ 'SOUL.md': 'ab' })
  })
})

describe('writing in the name of a group', () => {
  const group = { userId: 'group:7' }
  const sender = { senderId: 'ana|Ana from Porto' }

  it('is refused without a sender', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'SOUL.md', group)).rejects.toThrow(/senderId/)
    const blank = write(world, 'SOUL.md', { ...group, sender: { senderId: ' |x' } })
    await expect(blank).rejects.toThrow(/senderId/)
  })

  it('is refused when nobody may', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'SOUL.md', { ...group, sender })).rejects.toThrow(/groupEditors/)
  })

  it('is refused when who may cannot be found out', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'SOUL.md', { ...group, sender }, fail)).rejects.toThrow(
      ForbiddenError,
    )
  })

  it.each([
    ['for all groups', { senderId: 'ana' }, 'written'],
    ['for this group', { senderId: 'ana', group: 'group:7' }, 'written'],
    ['for another group', { senderId: 'ana', group: 'group:8' }, 'forbidden'],
    ['for another person', { senderId: 'bob' }, 'forbidden'],
  ])('is for those whom the settings name %s', async (_what, editor, outcome) => {
    const settings = { contextFiles: { groupEditors: [editor] } }
    const world = await createWorld(storage, 'open', { settings })
    const written = await write(world, 'SOUL.md', { ...group, sender }).catch((error) => ({
      outcome: (error as ForbiddenError).code,
    }))
    expect(written.outcome).toBe(outcome)
  })

  it.each(['admin', 'Operator', 'owner'])('is for the %s of the channel', async (role) => {
    const world = await createWorld(storage, 'open')
    const written = write(world, 'SOUL.md', { ...group, sender: { ...sender, role } })
    await expect(written).resolves.toMatchObject({ outcome: 'written' })
  })

  it('begins no first meeting, in which anybody could write USER.md', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'BOOTSTRAP.md', group)).rejects.toThrow(/no first meeting/)
    const contextFiles = createContextFiles({ storage })
    const place = {
      tenantId: world.tenantId,
      agentId: world.agent.id,
      name: 'BOOTSTRAP.md',
    } as const
    await expect(contextFiles.put({ ...place, ...group }, 'Meet.')).rejects.toThrow(ForbiddenError)
    await world.put('group:7', 'BOOTSTRAP.md', 'Meet.')
    await expect(write(world, 'USER.md', group)).rejects.toThrow(ForbiddenError)
  })

  it.each(['group:7', 'guild:8'])('is not for %s itself, which is no person', async (userId) => {
    const world = await createWorld(storage, 'open')
    const written = write(world, 'SOUL.md', { userId, sender: { senderId: userId } }, everybody)
    await expect(written).rejects.toThrow(/name of a person/)
  })

  it('is the same for deleting', async () => {
    const settings = { contextFiles: { groupEditors: [{ senderId: 'ana' }] } }
    const world = await createWorld(storage, 'open', { settings })
    await world.put('group:7', 'SOUL.md', 'Ours.')
    const { tenantId, agent } = world
    const file = { tenantId, agent, ...group, name: 'SOUL.md' } as const
    const contextFiles = createContextFiles({ storage })
    const remove = (request: Parameters<typeof contextFiles.remove>[0]) =>
      contextFiles.remove(request)
    await expect(remove(file)).rejects.toThrow(/senderId/)
    await expect(remove({ ...file, sender: { senderId: 'bob' } })).rejects.toThrow(/"bob" may not/)
    expect(await remove({ ...file, sender })).toBe(true)
    expect(await remove({ ...file, sender })).toBe(false)
    await expect(remove({ ...file, userId: '' })).rejects.toThrow(/belongs to a user/)
  })

  it('is the same for guilds', async () => {
    const world = await createWorld(storage, 'open')
    await expect(write(world, 'SOUL.md', { userId: 'guild:7' })).rejects.toThrow(ForbiddenError)
  })
})

describe('reading a context file', () => {
  it('open agents: the user’s, else the agent’s', async () => {
    const world = await createWorld(storage, 'open')
    await world.put('', 'SOUL.md', 'shared')
    expect(await read(world, 'SOUL.md')).toMatchObject({ content: 'shared' })
    await world.put('ana', 'SOUL.md', 'own')
    expect(await read(world, 'SOUL.md')).toMatchObject({ content: 'own' })
    expect(await read(world, 'SOUL.md', '')).toMatchObject({ content: 'shared' })
    expect(await read(world, 'TOOLS.md')).toBeUndefined()
  })

  it('predefined agents: USER.md and BOOTSTRAP.md; all else is in the context already', async () => {
    const world = await createWorld(storage, 'predefined')
    await world.put('', 'USER.md', 'shared')
    expect(await read(world, 'USER.md')).toMatchObject({ content: 'shared' })
    expect(await read(world, 'BOOTSTRAP.md')).toBeUndefined()
    await expect(read(world, 'SOUL.md')).rejects.toThrow(/in its context already/)
  })

  it('predefined agents that may evolve read SOUL.md', async () => {
    const settings = { contextFiles: { selfEvolve: true } }
    const world = await createWorld(storage, 'predefined', { settings })
    await world.put('', 'SOUL.md', 'soul')
    expect(await read(world, 'SOUL.md')).toMatchObject({ content: 'soul' })
    await expect(read(world, 'AGENTS.md')).rejects.toThrow(ForbiddenError)
  })
})
