import type {
  Delivery,
  DeliveryAttempt,
  DeliveryCount,
  DeliveryQueue,
  DeliveryState,
  WaitingDeliveries,
} from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { createGrouping } from '../grouping.js'
import { isUuid, jsonValue, momentValue, textArray } from '../sql-values.js'

/** Nobody waits for a delivery to begin or to be done, so it may wait a little for others. */
const GATHER_MS = 2

// Relays take turns under a lock, named by any number that nothing else in the database uses. One that finds another at work
// takes nothing.
const takeTurn = sql.raw(
  `select set_config('loam.has_turn', pg_try_advisory_xact_lock(7420001)::text, true)`,
)

/** The queue over a database of which each statement is a transaction, and a way to run several in one. */
export function createDeliveryQueue(
  database: Database,
  together: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>,
): DeliveryQueue {
  const begin = createGrouping<
    DeliveryAttempt & { readonly leaseUntil: Date },
    Delivery | undefined
  >(async (attempts) => {
    const rows = await execute<DeliveryRow>(
      database,
      sql`update loam.deliveries d set state = 'running', tries = d.tries + 1, lease_until = a."leaseUntil"
        from jsonb_to_recordset(${jsonValue(attempts.map(attemptRow))})
            as a ("tenantId" uuid, id uuid, attempt int, "leaseUntil" timestamptz), loam.events e
        where d.tenant_id = a."tenantId" and d.id = a.id and d.attempt = a.attempt and d.state = 'sent'
          and e.tenant_id = d.tenant_id and e.id = d.event_id
        returning ${deliveryColumns}`,
    )
    const begun = new Map(rows.map((row) => [row.id, row]))
    return attempts.map(({ id }) => {
      const row = begun.get(id.toLowerCase())
      // The same attempt may be in the group twice, and begins once.
      begun.delete(id.toLowerCase())
      return row && toDelivery(row)
    })
  })
  const complete = createGrouping<DeliveryAttempt, boolean>(
    async (attempts) => {
      const rows = await execute<{ readonly id: string }>(
        database,
        sql`update loam.deliveries d set state = 'done', lease_until = null, last_error = null
      from jsonb_to_recordset(${jsonValue(attempts.map(attemptRow))}) as a ("tenantId" uuid, id uuid, attempt int)
      where d.tenant_id = a."tenantId" and d.id = a.id and d.attempt = a.attempt and d.state = 'running' returning d.id`,
      )
      const completed = new Set(rows.map(({ id }) => id))
      return attempts.map(({ id }) => completed.delete(id.toLowerCase()))
    },
    { gatherMs: GATHER_MS },
  )

  return {
    async claim({ consumers, now, limit, leaseMs, maxOut }) {
      if (consumers.length === 0 || limit < 1) return []
      const leaseUntil = new Date(now.getTime() + leaseMs)
      const wanted = textArray([...new Set(consumers)])
      const claim = sql`${tenantsWithOpenDeliveries},
        due as materialized (
          select d.*, row_number() over (partition by d.tenant_id order by d.due_at, d.id) as turn
          from open_tenants t cross join unnest(${wanted}) as wanted (consumer)
          cross join lateral (
            select d.tenant_id, d.id, d.attempt, d.due_at, d.state = 'pending' as is_new from loam.deliveries d
            where d.tenant_id = t.tenant_id and d.consumer = wanted.consumer and d.due_at <= ${momentValue(now)}
              and not ${hasSibling(sql`coalesce(s.lease_until > ${momentValue(now)}, false)`)}
              and not ${hasSibling(sql`coalesce(s.due_at <= ${momentValue(now)}, false) and (s.run_after, s.id) < (d.run_after, d.id)`)}
            order by d.due_at, d.id limit ${limit}::int
          ) d
        ), ranked as materialized (
          select *, row_number() over (partition by is_new order by turn, due_at, id) as place from due
        ), chosen as materialized (
          select tenant_id, id, attempt, turn, due_at from ranked
          where not is_new or ${maxOut ?? null}::bigint is null or place <= ${maxOut ?? null}::bigint - (
            select count(*) from loam.deliveries where consumer = any(${wanted}) and lease_until is not null
          )
          order by turn, due_at, id limit ${limit}::int
        ), claimed as (
          update loam.deliveries d
          set state = 'sent', attempt = d.attempt + 1, lease_until = ${momentValue(leaseUntil)}
          from chosen where d.tenant_id = chosen.tenant_id and d.id = chosen.id and d.attempt = chosen.attempt
            and d.due_at <= ${momentValue(now)}
          returning d.*, chosen.turn, chosen.due_at as was_due_at
        )
        select ${deliveryColumns} from claimed d ${withEvent} order by d.turn, d.was_due_at, d.id`
      return await together(async (transaction) => {
        // Two statements, since the second has to see what the last one whose turn it was did; but one journey.
        const [, rows] = await Promise.all([
          execute(transaction, takeTurn),
          execute<DeliveryRow>(transaction, claim),
        ])
        return rows.map(toDelivery)
      })
    },
    async find(tenantId, id) {
      if (!names({ tenantId, id })) return undefined
      const [row] = await execute<DeliveryRow>(
        database,
        sql`select ${deliveryColumns} from loam.deliveries d ${withEvent}
        where d.tenant_id = ${tenantId} and d.id = ${id}`,
      )
      return row && toDelivery(row)
    },
    begin: async (attempt, leaseUntil) =>
      names(attempt) ? await begin({ ...attempt, leaseUntil }) : undefined,
    renew: (attempt, leaseUntil) =>
      change(attempt, RUNNING, sql`lease_until = ${momentValue(leaseUntil)}`),
    complete: async (attempt) => names(attempt) && (await complete(attempt)),
    fail: (attempt, { error, retryAt }) =>
      change(
        attempt,
        RUNNING,
        retryAt === undefined
          ? sql`state = 'dead', lease_until = null, last_error = ${error}`
          : sql`state = 'pending', lease_until = null, last_error = ${error}, run_after = ${momentValue(retryAt)}`,
      ),
    release: (attempt, wait) =>
      change(
        attempt,
        OUT,
        sql`state = 'pending', lease_until = null, tries = tries - (state = 'running')::int${
          wait && sql`, last_error = ${wait.reason}, run_after = ${momentValue(wait.runAfter)}`
        }`,
      ),
    async nextDueAt(consumers) {
      // What waits for a delivery of the same key that is out is due when that one's lease ends, which is counted itself.
      const [row] = await execute<{ readonly at: number | null }>(
        database,
        sql`select min(extract(epoch from first.due_at) * 1000)::float8 as at
        from unnest(${textArray([...new Set(consumers)])}) as wanted (consumer) cross join lateral (
          select d.due_at from loam.deliveries d where d.consumer = wanted.consumer and d.due_at is not null
            and (d.lease_until is not null or not ${hasSibling(sql`s.state <> 'pending'`)})
          order by d.due_at limit 1
        ) first`,
      )
      return row?.at == null ? undefined : new Date(Math.round(row.at))
    },
    async areSettled(consumers, now) {
      const [row] = await execute<{ readonly settled: boolean }>(
        database,
        sql`select not exists (
          select from loam.deliveries where consumer = any(${textArray([...new Set(consumers)])})
            and due_at is not null and (lease_until is not null or due_at <= ${momentValue(now)})
        ) as settled`,
      )
      return row?.settled ?? true
    },
    async counts(tenantId) {
      if (tenantId !== undefined && !isUuid(tenantId)) return []
      const ofTenant = tenantId === undefined ? sql`` : sql` where tenant_id = ${tenantId}`
      const rows = await execute<DeliveryCount>(
        database,
        sql`select consumer, state, count(*)::int as count from loam.deliveries${ofTenant}
        group by consumer, state order by consumer, state`,
      )
      return [...rows]
    },
    async waiting(tenantId) {
      if (!isUuid(tenantId)) return []
      const rows = await execute<Omit<WaitingDeliveries, 'nextAt'> & { readonly nextAt: number }>(
        database,
        sql`select consumer, last_error as reason, count(*)::int as count,
          (extract(epoch from min(run_after)) * 1000)::float8 as "nextAt"
        from loam.deliveries where tenant_id = ${tenantId} and state = 'pending' and last_error is not null
        group by consumer, last_error order by count desc, consumer, last_error limit 20`,
      )
      return rows.map((row) => ({ ...row, nextAt: moment(row.nextAt) }))
    },
    async listDead(tenantId, { limit, before }) {
      if (!isUuid(tenantId) || (before !== undefined && !isUuid(before))) return []
      const older = before === undefined ? sql`` : sql` and id < ${before}`
      const rows = await execute<DeliveryRow>(
        database,
        sql`select ${deliveryColumns} from (
          select * from loam.deliveries where tenant_id = ${tenantId} and state = 'dead'${older}
          order by id desc limit ${limit}::int
        ) d ${withEvent} order by d.id desc`,
      )
      return rows.map(toDelivery)
    },
    async replay(tenantId, { ids, consumer }, now) {
      if (!isUuid(tenantId)) return 0
      const named = ids?.filter(isUuid)
      const rows = await execute(
        database,
        sql`update loam.deliveries set state = 'pending', tries = 0, run_after = ${momentValue(now)}
        where tenant_id = ${tenantId} and state = 'dead'${
          named === undefined ? sql`` : sql` and id = any(${textArray(named)}::uuid[])`
        }${consumer === undefined ? sql`` : sql` and consumer = ${consumer}`} returning id`,
      )
      return rows.length
    },
  }

  /** Changes a delivery if this attempt of it is the current one, and in one of these states. */
  async function change(
    { tenantId, id, attempt }: DeliveryAttempt,
    states: ReturnType<typeof sql>,
    set: ReturnType<typeof sql>,
  ): Promise<boolean> {
    if (!names({ tenantId, id })) return false
    const rows = await execute(
      database,
      sql`update loam.deliveries set ${set}
      where tenant_id = ${tenantId} and id = ${id} and attempt = ${attempt} and state in (${states}) returning id`,
    )
    return rows.length > 0
  }
}

/** Whether there can be such a delivery. */
function names({ tenantId, id }: Pick<Delivery, 'tenantId' | 'id'>): boolean {
  return isUuid(tenantId) && isUuid(id)
}

/** What a statement for several attempts reads of each. */
function attemptRow({
  tenantId,
  id,
  attempt,
  leaseUntil,
}: DeliveryAttempt & { leaseUntil?: Date }) {
  return { tenantId, id, attempt, leaseUntil }
}

const RUNNING = sql.raw(`'running'`)
const OUT = sql.raw(`'sent', 'running'`)

// Steps from tenant to tenant through the index, so that the cost grows with the tenants that wait and not with their deliveries.
const tenantsWithOpenDeliveries = sql.raw(`with recursive open_tenants as (
  (
    select tenant_id from loam.deliveries
    where due_at is not null and current_setting('loam.has_turn') = 'true' order by tenant_id limit 1
  )
  union all
  select (
    select d.tenant_id from loam.deliveries d
    where d.due_at is not null and d.tenant_id > t.tenant_id order by d.tenant_id limit 1
  ) from open_tenants t where t.tenant_id is not null
)`)

/**
 * Whether a delivery with the ordering key of `d` is open and meets a condition. It is looked up by the key for each `d`,
 * whatever the statistics say: when they were taken, nothing may have been open. (`exists` could be made a join that compares
 * each with all, and a condition on a time by itself fits the indexes by time.)
 */
function hasSibling(condition: SQL): SQL {
  return sql`(
    select true from loam.deliveries s
    where s.tenant_id = d.tenant_id and s.consumer = d.consumer and s.ordering_key = d.ordering_key
      and s.state in ('pending', 'sent', 'running') and ${condition} limit 1
  ) is not null`
}

const deliveryColumns =
  sql.raw(`d.tenant_id as "tenantId", d.id, d.consumer, d.ordering_key as "orderingKey", d.state, d.attempt, d.tries,
  (extract(epoch from d.run_after) * 1000)::float8 as "runAfter", (extract(epoch from d.lease_until) * 1000)::float8 as "leaseUntil",
  d.last_error as "lastError", e.id as "eventId", e.agent_id as "agentId", e.user_id as "userId", e.type, e.payload,
  (extract(epoch from e.occurred_at) * 1000)::float8 as "occurredAt"`)

const withEvent = sql.raw('join loam.events e on e.tenant_id = d.tenant_id and e.id = d.event_id')

interface DeliveryRow {
  readonly tenantId: string
  readonly id: string
  readonly consumer: string
  readonly orderingKey: string
  readonly state: DeliveryState
  readonly attempt: number
  readonly tries: number
  readonly runAfter: number
  readonly leaseUntil: number | null
  readonly lastError: string | null
  readonly eventId: string
  readonly agentId: string
  readonly userId: string
  readonly type: string
  readonly payload: unknown
  readonly occurredAt: number
}

function toDelivery(row: DeliveryRow): Delivery {
  const { tenantId, agentId, userId, type, payload } = row
  const occurredAt = moment(row.occurredAt)
  return {
    tenantId,
    id: row.id,
    consumer: row.consumer,
    orderingKey: row.orderingKey,
    state: row.state,
    attempt: row.attempt,
    tries: row.tries,
    runAfter: moment(row.runAfter),
    leaseUntil: row.leaseUntil === null ? undefined : moment(row.leaseUntil),
    lastError: row.lastError ?? undefined,
    // Read by whoever handles it: one event that cannot be read must not keep the others from being sent.
    event: { id: row.eventId, tenantId, agentId, userId, type, payload, occurredAt },
  }
}

function moment(epochMs: number): Date {
  return new Date(Math.round(epochMs))
}
