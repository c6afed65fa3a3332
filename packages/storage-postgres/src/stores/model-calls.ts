import { InvalidInputError, NotFoundError } from '@loam/core'
import type { ModelCallStore } from '@loam/storage'
import { and, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { visibleOwners } from '../paging.js'
import { modelCalls } from '../schema/model-calls.js'
import { momentValue } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

export function createModelCallStore({ database, access }: StoreContext): ModelCallStore {
  const { tenantId } = access
  return {
    async begin({ scope, runId, jobId, ...call }) {
      if (scope.tenantId !== tenantId) {
        throw new InvalidInputError({ message: 'The call belongs to another tenant.' })
      }
      const { agentId, userId } = scope
      await database
        .insert(modelCalls)
        .values({ ...call, tenantId, agentId, userId, runId: runId ?? null, jobId: jobId ?? null })
    },
    async finish(id, { status, usage, errorCode, finishedAt }) {
      const rows = await database
        .update(modelCalls)
        .set({
          status,
          inputTokens: usage?.inputTokens ?? null,
          outputTokens: usage?.outputTokens ?? null,
          errorCode: errorCode ?? null,
          finishedAt,
        })
        .where(and(eq(modelCalls.tenantId, tenantId), eq(modelCalls.id, id)))
        .returning({ id: modelCalls.id })
      if (rows.length === 0) throw new NotFoundError({ message: `There is no model call ${id}.` })
    },
    async totals(since) {
      const sumOf = (owner?: string) =>
        database
          .select({
            calls: sql<number>`count(*)`.mapWith(Number).as('calls'),
            inputTokens: sql<number>`coalesce(sum(input_tokens), 0)`.mapWith(Number).as('input'),
            outputTokens: sql<number>`coalesce(sum(output_tokens), 0)`.mapWith(Number).as('output'),
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
      }
    },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
