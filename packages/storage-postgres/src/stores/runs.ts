import { NotFoundError } from '@loam/core'
import type { Run, RunStore } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute } from '../database.js'
import { runs } from '../schema/runs.js'
import { isUuid, jsonValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import type { StoreContext } from './store-context.js'

const selectRuns = wholeRows(runs)

export function createRunStore({ database, access }: StoreContext): RunStore {
  const { tenantId } = access
  const findOne = async (which: SQL): Promise<Run | undefined> => {
    const [row] = await selectRuns(database, sql`where tenant_id = ${tenantId} and ${which}`)
    return row && toRun(row)
  }
  return {
    async insertIfNew(run) {
      if (!isUuid(run.sessionId)) throw noSession()
      const [inserted] = await execute<{ readonly createdAt: number }>(
        database,
        sql`insert into loam.runs (tenant_id, id, session_id, user_id, run_id, status, compaction_summary, usage, last_sequence, event_id)
        select ${tenantId}::uuid, ${run.id}::uuid, s.id, s.user_id, ${run.runId}::text, ${run.status}::text,
          ${run.compactionSummary ?? null}::text, nullif(${jsonValue(run.usage ?? null)}, 'null'::jsonb), ${run.lastSequence}::int, ${run.eventId}::uuid
        from loam.sessions s where s.tenant_id = ${tenantId} and s.id = ${run.sessionId}
        on conflict (tenant_id, session_id, run_id) do nothing
        returning (extract(epoch from created_at) * 1000)::float8 as "createdAt"`,
      )
      if (inserted) {
        return {
          run: { ...run, createdAt: new Date(Math.round(inserted.createdAt)) },
          created: true,
        }
      }
      const present = await findOne(sql`session_id = ${run.sessionId} and run_id = ${run.runId}`)
      if (present) return { run: present, created: false }
      throw noSession()
    },
    find: async (id) => (isUuid(id) ? await findOne(sql`id = ${id}`) : undefined),
    latest: async (sessionId) =>
      isUuid(sessionId)
        ? await findOne(sql`session_id = ${sessionId} order by created_at desc, id desc limit 1`)
        : undefined,
  }
}

function noSession(): NotFoundError {
  return new NotFoundError({ message: 'There is no such session of this user.' })
}

function toRun(row: typeof runs.$inferSelect): Run {
  return {
    id: row.id,
    sessionId: row.sessionId,
    runId: row.runId,
    status: row.status,
    compactionSummary: row.compactionSummary ?? undefined,
    usage: row.usage ?? undefined,
    lastSequence: row.lastSequence,
    eventId: row.eventId,
    createdAt: row.createdAt,
  }
}
