import { ConflictError, ForbiddenError } from '@loam/core'
import type { Agent, AgentStore } from '@loam/storage'
import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm'
import { executeOne } from '../database.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { agents } from '../schema/agents.js'
import { STATEMENT_BEGAN, isUuid } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { MOST_ITEMS } from './page-sizes.js'
import { toReceipt, type CountRow } from './receipts.js'
import type { StoreContext } from './store-context.js'

const selectAgents = wholeRows(agents)

export function createAgentStore({ database, access }: StoreContext): AgentStore {
  const { tenantId } = access
  const ofTenant = eq(agents.tenantId, tenantId)
  const findOne = async (which: SQL): Promise<Agent | undefined> => {
    const [row] = await selectAgents(database, sql`where tenant_id = ${tenantId} and ${which}`)
    return row && toAgent(row)
  }
  return {
    async create(agent) {
      const [row] = await database
        .insert(agents)
        .values({
          tenantId,
          id: agent.id,
          key: agent.key,
          type: agent.type,
          displayName: agent.displayName ?? null,
          description: agent.description ?? null,
          ...(agent.status && { status: agent.status }),
          expertise: agent.expertise ?? null,
          settings: agent.settings,
          createdAt: STATEMENT_BEGAN,
          updatedAt: STATEMENT_BEGAN,
        })
        .onConflictDoNothing()
        .returning()
      if (row) return toAgent(row)
      throw new ConflictError({
        message: `There is an agent with the key ${JSON.stringify(agent.key)} already. Choose another key, or change that agent.`,
        details: { key: agent.key },
      })
    },
    async find(keyOrId) {
      return await findOne(isUuid(keyOrId) ? sql`id = ${keyOrId}` : sql`key = ${keyOrId}`)
    },
    async lock(id) {
      return isUuid(id) ? await findOne(sql`id = ${id} for no key update`) : undefined
    },
    async list({ limit, cursor }) {
      checkLimit(limit, MOST_ITEMS)
      const after = readCursor(cursor, asKey)
      const rows = await database
        .select()
        .from(agents)
        .where(and(ofTenant, after && gt(agents.key, after[0])))
        .orderBy(asc(agents.key))
        .limit(limit + 1)
      return toPage(rows.map(toAgent), limit, ({ key }) => [key])
    },
    async update(id, { type, displayName, description, status, expertise, settings }) {
      if (!isUuid(id)) return undefined
      const [row] = await database
        .update(agents)
        .set({
          ...(type !== undefined && { type }),
          ...(displayName !== undefined && { displayName }),
          ...(description !== undefined && { description }),
          ...(status !== undefined && { status }),
          ...(expertise !== undefined && { expertise }),
          ...(settings !== undefined && { settings }),
          updatedAt: sql`clock_timestamp()`,
        })
        .where(and(ofTenant, eq(agents.id, id)))
        .returning()
      return row && toAgent(row)
    },
    async delete(id) {
      if (!access.everyUser) {
        throw new ForbiddenError({
          message: 'Deleting an agent reaches the rows of all its users. Use access to every user.',
        })
      }
      if (!isUuid(id)) return undefined
      const [locked] = await database
        .select({ id: agents.id })
        .from(agents)
        .where(and(ofTenant, eq(agents.id, id)))
        .for('update')
      if (!locked) return undefined
      const counts = await executeOne<CountRow>(database, countRows(tenantId, id))
      await database.delete(agents).where(and(ofTenant, eq(agents.id, id)))
      return toReceipt({ ...counts, agents: 1 })
    },
  }
}

function countRows(tenantId: string, agentId: string) {
  const ofAgent = sql`tenant_id = ${tenantId} and agent_id = ${agentId}`
  const inSessions = sql`tenant_id = ${tenantId} and session_id in (select id from loam.sessions where ${ofAgent})`
  const inScopes = sql`tenant_id = ${tenantId} and scope_id in (select scope_id from loam.scopes where ${ofAgent})`
  return sql`select
    (select count(*)::int from loam.context_files where ${ofAgent}) as "contextFiles",
    (select count(*)::int from loam.sessions where ${ofAgent}) as sessions,
    (select count(*)::int from loam.messages where ${inSessions}) as messages,
    (select count(*)::int from loam.runs where ${inSessions}) as runs,
    (select count(*)::int from loam.documents where ${ofAgent}) as documents,
    (select count(*)::int from loam.episodes where ${ofAgent}) as episodes,
    (select count(*)::int from loam.chunks where ${inScopes}) as chunks,
    (select count(*)::int from loam.chunk_vectors v join loam.chunks c on c.tenant_id = v.tenant_id and c.id = v.chunk_id
      where c.tenant_id = ${tenantId} and c.scope_id in (select scope_id from loam.scopes where ${ofAgent})) as vectors`
}

function asKey([key]: readonly unknown[]): readonly [string] | undefined {
  return typeof key === 'string' ? [key] : undefined
}

function toAgent(row: typeof agents.$inferSelect): Agent {
  return {
    id: row.id,
    key: row.key,
    type: row.type,
    displayName: row.displayName ?? undefined,
    description: row.description ?? undefined,
    status: row.status,
    expertise: row.expertise ?? undefined,
    settings: row.settings,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
