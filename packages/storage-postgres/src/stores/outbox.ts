import { InvalidInputError } from '@loam/core'
import type { OutboxStore } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { jsonValue, momentValue } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

export function createOutboxStore({ database, access }: StoreContext): OutboxStore {
  const { tenantId } = access
  return {
    async publish(event, deliveries) {
      if (event.tenantId !== tenantId) {
        throw new InvalidInputError({ message: 'The event belongs to another tenant.' })
      }
      const { id, agentId, userId, type, payload, occurredAt } = event
      const sessionId = 'sessionId' in payload ? payload.sessionId : null
      const rows = deliveries.map((delivery) => ({
        id: delivery.id,
        consumer: delivery.consumer,
        ordering_key: delivery.orderingKey,
        run_after: delivery.runAfter,
      }))
      await execute(
        database,
        sql`with published as (
          insert into loam.events (tenant_id, id, agent_id, user_id, session_id, type, payload, occurred_at)
          values (${tenantId}::uuid, ${id}::uuid, ${agentId}::uuid, ${userId}::text, ${sessionId}::uuid, ${type}::text,
            ${jsonValue(payload)}, ${momentValue(occurredAt)})
        )
        insert into loam.deliveries (tenant_id, id, event_id, user_id, consumer, ordering_key, run_after)
        select ${tenantId}::uuid, d.id, ${id}::uuid, ${userId}::text, d.consumer, d.ordering_key,
          coalesce(d.run_after, ${momentValue(occurredAt)})
        from jsonb_to_recordset(${jsonValue(rows)})
          as d (id uuid, consumer text, ordering_key text, run_after timestamptz)`,
      )
    },
    async prune(before, limit) {
      const rows = await execute(
        database,
        sql`delete from loam.events where tenant_id = ${tenantId} and id in (
          select e.id from loam.events e where e.tenant_id = ${tenantId} and e.occurred_at < ${momentValue(before)}
            and not exists (
              select from loam.deliveries d
              where d.tenant_id = e.tenant_id and d.event_id = e.id and d.state <> 'done'
            )
          order by e.occurred_at limit ${limit}::int
        ) returning id`,
      )
      return rows.length
    },
  }
}
