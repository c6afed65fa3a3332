import type { Runtime } from '@loam/runtime'
import type { Delivery } from '@loam/storage'

/** What a person calls the agent and the session that a delivery is about. Either may be gone. */
export interface DeadLetterNames {
  readonly agent: string | undefined
  readonly session: string | undefined
}

/** Looks up the names for a page of a tenant's deliveries. */
export async function nameDeadLetters(
  { storage }: Pick<Runtime, 'storage'>,
  tenantId: string,
  deliveries: readonly Delivery[],
): Promise<(delivery: Delivery) => DeadLetterNames> {
  const agentIds = new Set(deliveries.map(({ event }) => event.agentId))
  const sessionIds = new Set(deliveries.map(sessionIdOf).filter((id) => id !== undefined))
  const keys = new Map<string, string | undefined>()
  if (agentIds.size > 0) {
    await storage.transaction(
      { tenantId, everyUser: true },
      async ({ agents, sessions }) => {
        for (const id of agentIds) keys.set(id, (await agents.find(id))?.key)
        for (const id of sessionIds) keys.set(id, (await sessions.findById(id))?.key)
      },
      { readOnly: true },
    )
  }
  return (delivery) => ({
    agent: keys.get(delivery.event.agentId),
    session: keys.get(sessionIdOf(delivery) ?? ''),
  })
}

function sessionIdOf({ event: { payload } }: Delivery): string | undefined {
  const isNamed = typeof payload === 'object' && payload !== null && 'sessionId' in payload
  return isNamed && typeof payload.sessionId === 'string' ? payload.sessionId : undefined
}
