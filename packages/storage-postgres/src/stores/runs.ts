import { NotFoundError } from '@loam/core'
import type { Run, RunStore } from '@loam/storage'
import { and, desc, eq } from 'drizzle-orm'
import { runs } from '../schema/runs.js'
import { sessions } from '../schema/sessions.js'
import { isUuid } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

export function createRunStore({ database, access }: StoreContext): RunStore {
  const { tenantId } = access
  return {
    async insertIfNew(run) {
      const ofSession = and(eq(sessions.tenantId, tenantId), eq(sessions.id, run.sessionId))
      const [session] = isUuid(run.sessionId)
        ? await database.select({ userId: sessions.userId }).from(sessions).where(ofSession)
        : []
      if (!session) throw new NotFoundError({ message: 'There is no such session of this user.' })
      const [inserted] = await database
        .insert(runs)
        .values({
          tenantId,
          id: run.id,
          sessionId: run.sessionId,
          userId: session.userId,
          runId: run.runId,
          status: run.status,
          compactionSummary: run.compactionSummary ?? null,
          usage: run.usage ?? null,
          lastSequence: run.lastSequence,
          eventId: run.eventId,
        })
        .onConflictDoNothing({ target: [runs.tenantId, runs.sessionId, runs.runId] })
        .returning()
      if (inserted) return { run: toRun(inserted), created: true }
      const [present] = await database
        .select()
        .from(runs)
        .where(
          and(
            eq(runs.tenantId, tenantId),
            eq(runs.sessionId, run.sessionId),
            eq(runs.runId, run.runId),
          ),
        )
      if (present) return { run: toRun(present), created: false }
      throw new NotFoundError({ message: 'The session was deleted meanwhile.' })
    },
    async find(id) {
      if (!isUuid(id)) return undefined
      const [row] = await database
        .select()
        .from(runs)
        .where(and(eq(runs.tenantId, tenantId), eq(runs.id, id)))
      return row && toRun(row)
    },
    async latest(sessionId) {
      if (!isUuid(sessionId)) return undefined
      const [row] = await database
        .select()
        .from(runs)
        .where(and(eq(runs.tenantId, tenantId), eq(runs.sessionId, sessionId)))
        .orderBy(desc(runs.createdAt), desc(runs.id))
        .limit(1)
      return row && toRun(row)
    },
  }
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
