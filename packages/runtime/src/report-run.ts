import { deliveriesFor, readConsolidationSettings } from '@loam/consolidation'
import {
  InvalidInputError,
  NotFoundError,
  isStorableText,
  toStorableText,
  type Clock,
  type EventOf,
  type GenerateId,
  type Scope,
} from '@loam/core'
import type { NewDelivery, Storage } from '@loam/storage'
import { RUN_STATUSES } from '@loam/storage'
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
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }))
    throw new InvalidInputError({
      message: `The run cannot be stored: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')}`,
      issues,
    })
  }
  const { runId, status, compactionSummary, usage } = parsed.data
  const { tenantId, agentId, userId } = scope
  return storage.transaction({ tenantId, userId }, async (stores) => {
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
    const { run, created } = await stores.runs.insertIfNew({
      id: generateId(),
      sessionId: session.id,
      runId,
      status,
      compactionSummary,
      usage: usage && withoutUndefined(usage),
      lastSequence: session.lastSequence,
      eventId: generateId(),
    })
    const deliveries: NewDelivery[] = []
    if (created) {
      const now = clock.now()
      const event: EventOf<'run.completed'> = {
        type: 'run.completed',
        id: run.eventId,
        tenantId,
        agentId,
        userId,
        occurredAt: now,
        payload: { runId: run.id, sessionId: session.id, lastSequence: run.lastSequence },
      }
      const facts = {
        settings: readConsolidationSettings(agent.settings).settings,
        compacted: (run.compactionSummary?.trim() ?? '') !== '',
      }
      deliveries.push(...deliveriesFor(event, facts, { now, generateId }))
      await stores.outbox.publish(event, deliveries)
    }
    const consumers = deliveries.map(({ consumer }) => consumer)
    return { runId: run.runId, eventId: run.eventId, consumers }
  })
}

function withoutUndefined({ inputTokens, outputTokens }: NonNullable<RunReport['usage']>) {
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
}
