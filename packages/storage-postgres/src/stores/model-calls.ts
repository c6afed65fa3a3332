import { ForbiddenError, InvalidInputError, NotFoundError } from '@loam/core'
import type { ModelCall, ModelCallStore } from '@loam/storage'
import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { execute, type Database } from '../database.js'
import { visibleOwners } from '../paging.js'
import { modelCalls } from '../schema/model-calls.js'
import { isUuid, momentValue } from '../sql-values.js'
import { dailyBudget } from './daily-budget.js'
import type { StoreContext } from './store-context.js'

const NOTHING = { tokens: 0, costNanoUsd: 0 }

export function createModelCallStore({
  database,
  access,
}: Pick<StoreContext, 'database' | 'access'>): ModelCallStore {
  const { tenantId } = access
  return {
    async begin(call, limits) {
      if (call.scope.tenantId !== tenantId) {
        throw new InvalidInputError({ message: 'The call belongs to another tenant.' })
      }
      if (limits && !access.everyUser) {
        throw new ForbiddenError({
          message:
            'A limit is for all users of a tenant. Begin the call with access to every user.',
        })
      }
      if (limits) {
        const budget = dailyBudget(database, tenantId, call.startedAt)
        const used = await budget.reserve(call.reserved ?? NOTHING, limits)
        if (used) return { admitted: false, used }
      }
      await insertCall(database, call, limits !== undefined)
      return { admitted: true }
    },
    async finish(id, { status, usage, charge, errorCode, finishedAt }) {
      const rows = isUuid(id)
        ? await execute(
            database,
            sql`with before as (
              select id, started_at, charged_tokens, cost_nano_usd from loam.model_calls
              where tenant_id = ${tenantId} and id = ${id} for update
            ), finished as (
              update loam.model_calls c set status = ${status}, input_tokens = ${usage?.inputTokens ?? null}::bigint,
                output_tokens = ${usage?.outputTokens ?? null}::bigint, error_code = ${errorCode ?? null},
                finished_at = ${momentValue(finishedAt)},
                charged_tokens = coalesce(${charge?.tokens ?? null}::bigint, b.charged_tokens),
                cost_nano_usd = coalesce(${charge?.costNanoUsd ?? null}::bigint, b.cost_nano_usd)
              from before b where c.tenant_id = ${tenantId} and c.id = b.id
              returning c.id, c.charged_tokens - b.charged_tokens as tokens, c.cost_nano_usd - b.cost_nano_usd as cost,
                (b.started_at at time zone 'UTC')::date as day
            ), corrected as (
              update loam.model_usage u set charged_tokens = u.charged_tokens + f.tokens, cost_nano_usd = u.cost_nano_usd + f.cost
              from finished f where u.tenant_id = ${tenantId} and u.day = f.day and (f.tokens <> 0 or f.cost <> 0)
            )
            select id from finished`,
          )
        : []
      if (rows.length === 0) throw new NotFoundError({ message: `There is no model call ${id}.` })
    },
    async totals(since) {
      const sumOf = (owner?: string) =>
        database
          .select({
            calls: sql<number>`count(*)`.mapWith(Number).as('calls'),
            inputTokens: sql<number>`coalesce(sum(input_tokens), 0)`.mapWith(Number).as('input'),
            outputTokens: sql<number>`coalesce(sum(output_tokens), 0)`.mapWith(Number).as('output'),
            tokens: sql<number>`coalesce(sum(charged_tokens), 0)`.mapWith(Number).as('tokens'),
            costNanoUsd: sql<number>`coalesce(sum(cost_nano_usd), 0)`.mapWith(Number).as('cost'),
          })
          .from(modelCalls)
          .where(
            and(
              eq(modelCalls.tenantId, tenantId),
              owner === undefined ? undefined : eq(modelCalls.userId, owner),
              sql`${modelCalls.startedAt} >= ${momentValue(since)}`,
            ),
          )
      const [shared, own] = visibleOwners(access) ?? []
      const rows =
        shared !== undefined && own !== undefined
          ? await unionAll(sumOf(shared), sumOf(own))
          : await sumOf(shared)
      return {
        calls: sum(rows.map((row) => row.calls)),
        inputTokens: sum(rows.map((row) => row.inputTokens)),
        outputTokens: sum(rows.map((row) => row.outputTokens)),
        charged: {
          tokens: sum(rows.map((row) => row.tokens)),
          costNanoUsd: sum(rows.map((row) => row.costNanoUsd)),
        },
      }
    },
  }
}

/** A call without a limit counts too, if the day has a budget: another process may have been told of one. */
async function insertCall(
  database: Database,
  { scope, runId, jobId, reserved = NOTHING, ...call }: ModelCall,
  isReserved: boolean,
): Promise<void> {
  const { tenantId, agentId, userId } = scope
  const { tokens, costNanoUsd } = reserved
  await database.insert(modelCalls).values({
    ...call,
    tenantId,
    agentId,
    userId,
    runId: runId ?? null,
    jobId: jobId ?? null,
    chargedTokens: tokens,
    costNanoUsd,
  })
  if (isReserved) return
  await execute(
    database,
    sql`update loam.model_usage set calls = calls + 1,
      charged_tokens = charged_tokens + ${tokens}::bigint, cost_nano_usd = cost_nano_usd + ${costNanoUsd}::bigint
    where tenant_id = ${tenantId} and day = (${momentValue(call.startedAt)} at time zone 'UTC')::date`,
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
