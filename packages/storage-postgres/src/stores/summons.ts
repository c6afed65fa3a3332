import type { Summon, SummonStore } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute } from '../database.js'
import { summons } from '../schema/summons.js'
import { isUuid, jsonValue, momentValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import type { StoreContext } from './store-context.js'

const selectSummons = wholeRows(summons)

export function createSummonStore({ database, access }: StoreContext): SummonStore {
  const { tenantId } = access
  const ofAgent = (agentId: string): SQL => sql`tenant_id = ${tenantId} and agent_id = ${agentId}`

  async function find(agentId: string): Promise<Summon | undefined> {
    if (!isUuid(agentId)) return undefined
    const [row] = await selectSummons(database, sql`where ${ofAgent(agentId)}`)
    return row && toSummon(row)
  }

  return {
    find,
    async start({ agentId, kind, instruction, startedAt }, staleBefore) {
      const started = await execute(
        database,
        sql`insert into loam.summons as s (tenant_id, agent_id, generation, kind, state, instruction, started_at)
        values (${tenantId}::uuid, ${agentId}::uuid, 1, ${kind}::text, 'running', ${instruction}::text, ${momentValue(startedAt)})
        on conflict (tenant_id, agent_id) do update set generation = s.generation + 1, kind = excluded.kind, state = 'running',
          instruction = excluded.instruction, files = '[]', error = null, started_at = excluded.started_at, finished_at = null
          where s.state <> 'running' or s.started_at < ${momentValue(staleBefore)}
        returning generation`,
      )
      return started.length > 0 ? await find(agentId) : undefined
    },
    async finish(agentId, generation, { state, files, error, finishedAt }) {
      if (!isUuid(agentId)) return false
      const rows = await execute(
        database,
        sql`update loam.summons set state = ${state}, files = ${jsonValue(files)},
          error = nullif(${jsonValue(error ?? null)}, 'null'::jsonb), finished_at = ${momentValue(finishedAt)}
        where ${ofAgent(agentId)} and generation = ${generation}::int and state = 'running' returning generation`,
      )
      return rows.length > 0
    },
    async cancel(agentId, at) {
      if (!isUuid(agentId)) return false
      const rows = await execute(
        database,
        sql`update loam.summons set state = 'cancelled', generation = generation + 1, finished_at = ${momentValue(at)}
        where ${ofAgent(agentId)} and state = 'running' returning generation`,
      )
      return rows.length > 0
    },
  }
}

function toSummon(row: typeof summons.$inferSelect): Summon {
  const { tenantId: _tenantId, error, finishedAt, ...summon } = row
  return { ...summon, error: error ?? undefined, finishedAt: finishedAt ?? undefined }
}
