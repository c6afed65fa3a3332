import { ForbiddenError, InvalidInputError, NotFoundError } from '@loam/core'
import type { ModelCallStore } from '@loam/storage'
import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { visibleOwners } from '../paging.js'
import { modelCalls } from '../schema/model-calls.js'
import { isUuid, momentValue } from '../sql-values.js'
import { dailyBudget } from './daily-budget.js'
import { finishCalls, insertCalls } from './model-call-rows.js'
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
      await insertCalls(database, tenantId, [call], { areReserved: limits !== undefined })
      return { admitted: true }
    },
    async finish(id, outcome) {
      const finished = isUuid(id) && (await finishCalls(database, tenantId, [{ id, outcome }]))
      if (!finished || finished.size === 0) throw noSuchCall(id)
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

/** The error for a call that was never begun. */
export function noSuchCall(id: string): NotFoundError {
  return new NotFoundError({ message: `There is no model call ${id}.` })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
