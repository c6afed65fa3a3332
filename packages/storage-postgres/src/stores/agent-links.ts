import type { AgentLinkStore, AgentLinkTarget } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute, executeOne } from '../database.js'
import { isUuid } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

export function createAgentLinkStore({ database, access }: StoreContext): AgentLinkStore {
  const { tenantId } = access
  return {
    async put({ fromAgentId, toAgentId, description }) {
      const { createdAt } = await executeOne<{ readonly createdAt: number }>(
        database,
        sql`insert into loam.agent_links (tenant_id, from_agent_id, to_agent_id, description)
        values (${tenantId}::uuid, ${fromAgentId}::uuid, ${toAgentId}::uuid, ${description ?? null}::text)
        on conflict (tenant_id, from_agent_id, to_agent_id) do update set description = excluded.description
        returning (extract(epoch from created_at) * 1000)::float8 as "createdAt"`,
      )
      return { fromAgentId, toAgentId, description, createdAt: new Date(Math.round(createdAt)) }
    },
    async list(fromAgentId) {
      if (!isUuid(fromAgentId)) return []
      const rows = await execute<LinkRow>(
        database,
        sql`select l.to_agent_id as "toAgentId", l.description, (extract(epoch from l.created_at) * 1000)::float8 as "createdAt",
          a.key, a.display_name as "displayName", a.description as "ownDescription"
        from loam.agent_links l join loam.agents a on a.tenant_id = l.tenant_id and a.id = l.to_agent_id
        where l.tenant_id = ${tenantId} and l.from_agent_id = ${fromAgentId} order by a.key`,
      )
      return rows.map((row) => toTarget(fromAgentId, row))
    },
    async delete(fromAgentId, toAgentId) {
      if (!isUuid(fromAgentId) || !isUuid(toAgentId)) return false
      const rows = await execute(
        database,
        sql`delete from loam.agent_links
        where tenant_id = ${tenantId} and from_agent_id = ${fromAgentId} and to_agent_id = ${toAgentId} returning to_agent_id`,
      )
      return rows.length > 0
    },
  }
}

interface LinkRow {
  readonly toAgentId: string
  readonly description: string | null
  readonly createdAt: number
  readonly key: string
  readonly displayName: string | null
  readonly ownDescription: string | null
}

function toTarget(fromAgentId: string, row: LinkRow): AgentLinkTarget {
  const { toAgentId, key } = row
  return {
    fromAgentId,
    toAgentId,
    description: row.description ?? undefined,
    createdAt: new Date(Math.round(row.createdAt)),
    target: {
      id: toAgentId,
      key,
      displayName: row.displayName ?? undefined,
      description: row.ownDescription ?? undefined,
    },
  }
}
