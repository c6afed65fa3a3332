import type { DailyModelLimits, ModelCharge } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { momentValue } from '../sql-values.js'

const DAY_MS = 86_400_000

/** The budget of one tenant for one day. */
export interface DailyBudget {
  /** Takes a charge out of the budget; undefined when that was done, else what the day is charged without it. */
  reserve(charge: ModelCharge, limits: DailyModelLimits): Promise<ModelCharge | undefined>
}

/** The budget of the day, in UTC, of that moment. */
export function dailyBudget(database: Database, tenantId: string, at: Date): DailyBudget {
  const start = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
  const day = sql`${start.toISOString().slice(0, 10)}::text::date`

  /** One statement, so that those who reserve at once take turns at the row and each sees what the others took. */
  async function take({ tokens, costNanoUsd }: ModelCharge, limits: DailyModelLimits) {
    const taken = await execute(
      database,
      sql`update loam.model_usage set calls = calls + 1,
        charged_tokens = charged_tokens + ${tokens}::bigint, cost_nano_usd = cost_nano_usd + ${costNanoUsd}::bigint
      where tenant_id = ${tenantId} and day = ${day}
        and (${limits.tokens ?? null}::bigint is null or charged_tokens + ${tokens}::bigint <= ${limits.tokens ?? null}::bigint)
        and (${limits.costNanoUsd ?? null}::bigint is null or cost_nano_usd + ${costNanoUsd}::bigint <= ${limits.costNanoUsd ?? null}::bigint)
      returning day`,
    )
    return taken.length > 0
  }

  async function used(): Promise<ModelCharge | undefined> {
    const [row] = await execute<{ tokens: string; cost: string }>(
      database,
      sql`select charged_tokens::text as tokens, cost_nano_usd::text as cost from loam.model_usage
      where tenant_id = ${tenantId} and day = ${day}`,
    )
    return row && { tokens: Number(row.tokens), costNanoUsd: Number(row.cost) }
  }

  /** Counts what was charged before there was a limit. Whoever comes second waits for the first, and adds nothing. */
  async function open(): Promise<void> {
    const end = new Date(start.getTime() + DAY_MS)
    await execute(
      database,
      sql`insert into loam.model_usage (tenant_id, day, calls, charged_tokens, cost_nano_usd)
      select ${tenantId}::uuid, ${day}, count(*), coalesce(sum(charged_tokens), 0), coalesce(sum(cost_nano_usd), 0)
      from loam.model_calls
      where tenant_id = ${tenantId} and started_at >= ${momentValue(start)} and started_at < ${momentValue(end)}
      on conflict do nothing`,
    )
  }

  return {
    async reserve(charge, limits) {
      if (await take(charge, limits)) return undefined
      const before = await used()
      if (before) return before
      await open()
      return (await take(charge, limits)) ? undefined : await used()
    },
  }
}
