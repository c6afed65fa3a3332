import { generateId } from '@loam/core'
import type { Access, Storage, Stores } from '../storage.js'

/** A tenant of a test's own, with one agent, so that tests share a store without meeting. */
export interface World {
  readonly storage: Storage
  readonly tenantId: string
  readonly agentId: string
  /** Runs work as one user; `''` for nobody in particular, who sees the shared part alone. */
  readonly as: <Result>(
    userId: string,
    work: (stores: Stores) => Promise<Result>,
  ) => Promise<Result>
  /** Runs work with access to every user. */
  readonly asEveryone: <Result>(work: (stores: Stores) => Promise<Result>) => Promise<Result>
  /** Makes a session of that user and returns its id. */
  readonly addSession: (userId: string, key?: string) => Promise<string>
  /** Makes another agent and returns its id. */
  readonly addAgent: (key: string) => Promise<string>
}

/** Makes a world in the store. */
export async function createWorld(storage: Storage): Promise<World> {
  const tenantId = generateId()
  const everyone: Access = { tenantId, everyUser: true }
  const asEveryone: World['asEveryone'] = (work) => storage.transaction(everyone, work)
  const as: World['as'] = (userId, work) => storage.transaction({ tenantId, userId }, work)
  const addAgent = async (key: string) => {
    const agent = await asEveryone(({ agents }) =>
      agents.create({
        id: generateId(),
        key,
        type: 'open',
        displayName: undefined,
        description: undefined,
        settings: {},
      }),
    )
    return agent.id
  }

  await asEveryone(({ tenants }) => tenants.ensure({ slug: `test-${tenantId}`, name: 'Test' }))
  const agentId = await addAgent('agent')
  return {
    storage,
    tenantId,
    agentId,
    as,
    asEveryone,
    addAgent,
    async addSession(userId, key = generateId()) {
      const session = { id: generateId(), agentId, key, userId, kind: 'direct' } as const
      await as(userId, ({ sessions }) => sessions.ensure(session))
      return session.id
    },
  }
}
