import { deliveriesFor, readConsolidationSettings } from '@loam/consolidation'
import {
  InvalidInputError,
  NotFoundError,
  isStorableText,
  toStorableText,
  toInputIssues,
  type Clock,
  type EventOf,
  type GenerateId,
  type Scope,
} from '@loam/core'
import { RUN_STATUSES, accessFor, type Run, type Storage } from '@loam/storage'
import { z } from 'zod'
import type { RunReport } from './runtime.js'

/** Longest compaction summary, in UTF-16 code units. */
const MAX_SUMMARY_LENGTH = 200_000

const tokens = z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional()

const runReportSchema = z.strictObject({
  runId: z.string().min(1).max(500).refine(isStorableText, 'Leave out NUL and lone surrogates.'),
  status: z.enum(RUN_STATUSES),
  compactionSummary: z.string().max(MAX_SUMMARY_LENGTH).transform(toStorableText).optional(),
  usage: z.strictObject({ inputTokens: tokens, outputTokens: tokens }).optional(),
})

/** What the report of a run is stored with. */
export interface RunReporterOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly clock: Clock
  readonly generateId: GenerateId
}

/** Stores a run with its event and deliveries in one transaction; see `Runtime.reportRun`. */
export async function storeRun(
  { storage, clock, generateId }: RunReporterOptions,
  scope: Scope,
  sessionKey: string,
  report: RunReport,
): Promise<{
  readonly runId: string
  readonly eventId: string
  /** Consumers that have work to do now; none when the run was reported before. */
  readonly consumers: readonly string[]
}> {
  const parsed = runReportSchema.safeParse(report)
  if (!parsed.success) {
    const issues = toInputIssues(parsed.error)
    throw new InvalidInputError({
      message: `The run cannot be stored: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')}`,
      issues,
    })
  }
  const { runId, status, compactionSummary, usage } = parsed.data
  const { tenantId, agentId, userId } = scope
  const stored = storage.transaction(accessFor(scope), async (stores) => {
    const [session, agent] = await Promise.all([
      // Locked, so that a later run never reports an earlier position.
      stores.sessions.lockByKey(agentId, sessionKey),
      stores.agents.find(agentId),
    ])
    if (session?.userId !== userId || !agent) {
      throw new NotFoundError({
        message: `User "${userId}" has no session "${sessionKey}" with this agent. Store its messages first.`,
      })
    }
    const { lastSequence } = session
    const now = clock.now()
    const event: EventOf<'run.completed'> = {
      type: 'run.completed',
      id: generateId(),
      tenantId,
      agentId,
      userId,
      occurredAt: now,
      payload: { runId: generateId(), sessionId: session.id, lastSequence },
    }
    const facts = {
      settings: readConsolidationSettings(agent.settings).settings,
      compacted: (compactionSummary?.trim() ?? '') !== '',
    }
    const deliveries = deliveriesFor(event, facts, { now, generateId })
    // Nearly every report is new, so the event goes out with the run.
    const [{ run, created }] = await Promise.all([
      stores.runs.insertIfNew({
        id: event.payload.runId,
        sessionId: session.id,
        runId,
        status,
        compactionSummary,
        usage: usage && withoutUndefined(usage),
        lastSequence,
        eventId: event.id,
      }),
      stores.outbox.publish(event, deliveries),
    ])
    if (!created) throw new ReportedBefore(run)
    return { run, consumers: deliveries.map(({ consumer }) => consumer) }
  })
  const { run, consumers } = await stored.catch((error: unknown) => {
    if (error instanceof ReportedBefore) return { run: error.run, consumers: [] }
    throw error
  })
  return { runId: run.runId, eventId: run.eventId, consumers }
}

/** Undoes the event that was published along. */
class ReportedBefore extends Error {
  readonly run: Run

  constructor(run: Run) {
    super(`The run ${run.runId} was reported before.`)
    this.run = run
  }
}

function withoutUndefined({ inputTokens, outputTokens }: NonNullable<RunReport['usage']>) {
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
}
