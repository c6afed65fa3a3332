import { generateId } from '@loam/core'
import type { Agent, AgentType, Storage, Stores } from '@loam/storage'

/** A tenant of a test's own with one agent. */
export interface World {
  readonly tenantId: string
  readonly agent: Agent
  readonly as: <Result>(
    userId: string,
    work: (stores: Stores) => Promise<Result>,
  ) => Promise<Result>
  /** What the files of an owner say, by name. */
  readonly files: (userId: string) => Promise<Readonly<Record<string, string>>>
  readonly put: (userId: string, name: string, content: string) => Promise<void>
  /** The agent as it is stored now. */
  readonly stored: () => Promise<Agent>
}

export const NOW = new Date('2026-12-01T09:00:00Z')

/** Makes a world in the store. */
export async function createWorld(
  storage: Storage,
  type: AgentType,
  agent: Partial<Pick<Agent, 'description' | 'displayName' | 'settings'>> = {},
): Promise<World> {
  const tenantId = generateId()
  const as: World['as'] = (userId, work) => storage.transaction({ tenantId, userId }, work)
  const made = await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
    await stores.tenants.ensure({ slug: tenantId, name: 'Test' })
    return await stores.agents.create({
      id: generateId(),
      key: 'helper',
      type,
      displayName: undefined,
      description: undefined,
      settings: {},
      ...agent,
    })
  })
  return {
    tenantId,
    agent: made,
    as,
    async files(userId) {
      const files = await as(userId, ({ contextFiles }) => contextFiles.list(made.id, userId))
      return Object.fromEntries(files.map(({ name, content }) => [name, content]))
    },
    async put(userId, name, content) {
      await as(userId, ({ contextFiles }) =>
        contextFiles.put({ agentId: made.id, userId, name, content }),
      )
    },
    async stored() {
      const found = await as('', ({ agents }) => agents.find(made.id))
      if (!found) throw new Error('The agent is gone.')
      return found
    },
  }
}
