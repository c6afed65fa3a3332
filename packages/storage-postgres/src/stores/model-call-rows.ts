import type { ModelCall, ModelCallOutcome } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { jsonValue } from '../sql-values.js'

/**
 * Records that calls began. Those whose charge is not reserved yet are counted here, if their day has a budget: another
 * process may have been told of one.
 */
export async function insertCalls(
  database: Database,
  tenantId: string,
  calls: readonly ModelCall[],
  { areReserved }: { readonly areReserved: boolean },
): Promise<void> {
  const rows = calls.map(({ scope, reserved, ...call }) => ({
    ...call,
    agentId: scope.agentId === '' ? null : scope.agentId,
    userId: scope.userId,
    sinceErasure: scope.userId === '' ? null : scope.sinceErasure,
    tokens: reserved?.tokens ?? 0,
    cost: reserved?.costNanoUsd ?? 0,
  }))
  // What a call costs counts, also when it is made by work from before its user was erased; whose it is, does not.
  const inserted = sql`insert into loam.model_calls (tenant_id, id, agent_id, user_id, task, kind, provider, model, run_id, job_id,
      started_at, charged_tokens, cost_nano_usd)
    select ${tenantId}::uuid, id, "agentId", case when "isErased" then '' else "userId" end, task, kind, provider, model,
      case when "isErased" then null else "runId" end, "jobId", "startedAt", tokens, cost
    from (
      select *, case when "agentId" is null or "sinceErasure" is null then false
        else loam.was_erased("agentId", "userId", "sinceErasure") end as "isErased"
      from jsonb_to_recordset(${jsonValue(rows)}) as given (id uuid, "agentId" uuid, "userId" text, "sinceErasure" bigint, task text,
        kind text, provider text, model text, "runId" text, "jobId" text, "startedAt" timestamptz, tokens bigint, cost bigint)
    ) call`
  await execute(
    database,
    areReserved
      ? inserted
      : sql`with inserted as (${inserted} returning started_at, charged_tokens, cost_nano_usd)
        update loam.model_usage u set calls = u.calls + i.calls, charged_tokens = u.charged_tokens + i.tokens,
          cost_nano_usd = u.cost_nano_usd + i.cost
        from (
          select (started_at at time zone 'UTC')::date as day, count(*) as calls, sum(charged_tokens) as tokens, sum(cost_nano_usd) as cost
          from inserted group by 1
        ) i where u.tenant_id = ${tenantId} and u.day = i.day`,
  )
}

/** A call that ended, and how. */
export interface FinishedCall {
  /** A UUID. */
  readonly id: string
  readonly outcome: ModelCallOutcome
}

/** Records how calls ended, and corrects the totals of their days. Returns the ids of those that were recorded. */
export async function finishCalls(
  database: Database,
  tenantId: string,
  calls: readonly FinishedCall[],
): Promise<ReadonlySet<string>> {
  const outcomes = calls.map(
    ({ id, outcome: { status, usage, charge, errorCode, finishedAt } }) => ({
      id,
      status,
      input: usage?.inputTokens,
      output: usage?.outputTokens,
      tokens: charge?.tokens,
      cost: charge?.costNanoUsd,
      error: errorCode,
      at: finishedAt,
    }),
  )
  const finished = await execute<{ readonly id: string }>(
    database,
    sql`with ended as materialized (
      select e.*, c.started_at, c.charged_tokens, c.cost_nano_usd
      from jsonb_to_recordset(${jsonValue(outcomes)}) as e (id uuid, status text, input bigint, output bigint, tokens bigint,
        cost bigint, error text, at timestamptz)
      join loam.model_calls c on c.tenant_id = ${tenantId} and c.id = e.id for update of c
    ), finished as (
      update loam.model_calls c set status = e.status, input_tokens = e.input, output_tokens = e.output, error_code = e.error,
        finished_at = e.at, charged_tokens = coalesce(e.tokens, e.charged_tokens), cost_nano_usd = coalesce(e.cost, e.cost_nano_usd)
      from ended e where c.tenant_id = ${tenantId} and c.id = e.id
      returning c.id, c.charged_tokens - e.charged_tokens as tokens, c.cost_nano_usd - e.cost_nano_usd as cost,
        (e.started_at at time zone 'UTC')::date as day
    ), corrected as (
      update loam.model_usage u set charged_tokens = u.charged_tokens + f.tokens, cost_nano_usd = u.cost_nano_usd + f.cost
      from (select day, sum(tokens) as tokens, sum(cost) as cost from finished group by day) f
      where u.tenant_id = ${tenantId} and u.day = f.day and (f.tokens <> 0 or f.cost <> 0)
    )
    select id from finished`,
  )
  return new Set(finished.map(({ id }) => id))
}
