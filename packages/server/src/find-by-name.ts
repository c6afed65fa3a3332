import { NotFoundError, type Scope } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { Agent, ApiKey, Session, Stores } from '@loam/storage'

/** The agent of that key or id. @throws NotFoundError */
export async function getAgent(stores: Stores, reference: string): Promise<Agent> {
  const agent = await stores.agents.find(reference)
  return agent ?? throwNoAgent(reference)
}

function throwNoAgent(reference: string): never {
  throw new NotFoundError({
    message: `There is no agent "${reference}". POST /v1/agents makes one.`,
  })
}

/** The agent's session of that key, as far as this unit of work may see it. @throws NotFoundError */
export async function getSession(stores: Stores, agent: Agent, key: string): Promise<Session> {
  const session = await stores.sessions.findByKey(agent.id, key)
  if (session === undefined) {
    throw new NotFoundError({
      message: `Agent "${agent.key}" has no session ${JSON.stringify(key)} of this user.`,
    })
  }
  return session
}

/** The tenant's agent of that key or id, by a lookup that others share. @throws NotFoundError */
export async function requireAgent(
  runtime: Runtime,
  key: ApiKey,
  reference: string,
): Promise<Agent> {
  return (await runtime.findAgent(key.tenantId, reference)) ?? throwNoAgent(reference)
}

/** The scope of a user of an agent. @throws NotFoundError when there is no such agent. */
export async function scopeOf(
  runtime: Runtime,
  key: ApiKey,
  agentReference: string,
  userId: string,
): Promise<Scope> {
  const agent = await requireAgent(runtime, key, agentReference)
  return { tenantId: key.tenantId, agentId: agent.id, userId }
}
