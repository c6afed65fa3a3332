import { NotFoundError } from '@loam/core'
import type { AgentUser, AgentUserStore } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute } from '../database.js'
import { agentUsers } from '../schema/agent-users.js'
import { isUuid, momentValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import type { StoreContext } from './store-context.js'

const selectUsers = wholeRows(agentUsers)

export function createAgentUserStore({ database, access }: StoreContext): AgentUserStore {
  const { tenantId } = access
  const named = (agentId: string, userId: string): SQL =>
    sql`tenant_id = ${tenantId} and agent_id = ${agentId} and user_id = ${userId}`

  async function select(agentId: string, userId: string, lock: SQL) {
    if (!isUuid(agentId)) return undefined
    const [row] = await selectUsers(database, sql`where ${named(agentId, userId)}${lock}`)
    return row && toAgentUser(row)
  }

  return {
    find: (agentId, userId) => select(agentId, userId, sql``),
    async ensure(agentId, userId) {
      const known = await select(agentId, userId, sql` for no key update`)
      if (known) return { user: known, created: false }
      const made = isUuid(agentId)
        ? await execute(
            database,
            sql`insert into loam.agent_users (tenant_id, agent_id, user_id)
            values (${tenantId}::uuid, ${agentId}::uuid, ${userId}::text) on conflict do nothing returning agent_id`,
          )
        : []
      const user = await select(agentId, userId, sql` for no key update`)
      if (user) return { user, created: made.length > 0 }
      throw new NotFoundError({ message: 'There is no such agent.' })
    },
    async countTurn(agentId, userId, turnId) {
      const [row] = await execute<{ readonly turns: number }>(
        database,
        sql`update loam.agent_users set turns = turns + (last_turn_id is distinct from ${turnId}::text)::int, last_turn_id = ${turnId}::text
        where ${named(agentId, userId)} returning turns`,
      )
      return row?.turns ?? 0
    },
    async completeOnboarding(agentId, userId, at) {
      await execute(
        database,
        sql`update loam.agent_users set onboarded_at = coalesce(onboarded_at, ${momentValue(at)}) where ${named(agentId, userId)}`,
      )
    },
  }
}

function toAgentUser(row: typeof agentUsers.$inferSelect): AgentUser {
  const { agentId, userId, turns, onboardedAt, createdAt } = row
  return { agentId, userId, turns, onboardedAt: onboardedAt ?? undefined, createdAt }
}
