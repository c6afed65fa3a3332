import {
  ConflictError,
  InvalidInputError,
  type ChatModel,
  type Clock,
  type EventOf,
  type GenerateId,
  type Logger,
  type LoamEvent,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import type { NewEpisode, Session, SessionKind, Storage, Stores } from '@loam/storage'
import { readConsolidationSettings, type ConsolidationSettings } from './settings.js'
import { nextStretch, type Stretch } from './stretch.js'
import { summarise } from './summarise.js'

/** What the work on one delivery may need to know. */
export interface EventContext {
  /** Ends the work: at a shutdown, or when another process has taken the delivery over. */
  readonly signal: AbortSignal
  /** Recorded with model calls. */
  readonly jobId: string
}

/** Does a consumer's work for one event. Doing it again changes nothing; a rejection means that it is not done. */
export type EventHandler = (event: LoamEvent, context: EventContext) => Promise<void>

/** What the episodic handler works with. */
export interface EpisodicHandlerOptions {
  readonly storage: Storage
  readonly memory: Pick<Memory, 'prepareEpisode'>
  readonly chat: ChatModel | undefined
  readonly clock: Clock
  readonly generateId: GenerateId
  readonly logger: Logger
}

/** Sessions without a conversation in them (spec 05, 6.2). */
const SKIPPED_KINDS: ReadonlySet<SessionKind> = new Set(['cron', 'heartbeat'])

const DAY_MS = 86_400_000

/** What is to be done next, read in one transaction. */
interface Plan {
  readonly session: Session
  readonly settings: ConsolidationSettings
  readonly stretch: Stretch
  readonly compactionSummary: string | undefined
}

/**
 * Makes the episodes that a `run.completed` event calls for: of the messages that no episode covers yet, up to the
 * event's last sequence.
 *
 * Each episode is planned from what the store says at that moment, and written only if that still holds, with the
 * session locked. So a delivery that comes twice, late, beside another, or after a crash leaves the same episodes.
 */
export function createEpisodicHandler(options: EpisodicHandlerOptions): EventHandler {
  const { storage, memory, chat, clock, generateId, logger } = options

  return async (event, { signal, jobId }) => {
    if (event.type !== 'run.completed') {
      throw new InvalidInputError({
        message: `Episodes are made of run.completed events, and event ${event.id} is a ${event.type}.`,
      })
    }
    const { tenantId, agentId, userId } = event
    const access = { tenantId, userId }
    const scope = { tenantId, agentId, userId }
    for (;;) {
      signal.throwIfAborted()
      const plan = await storage.transaction(
        access,
        (stores) => planEpisode(stores, event, logger),
        { signal, readOnly: true },
      )
      if (!plan) return
      const { session, settings, stretch } = plan
      const text = await summarise(
        { stretch, session, compactionSummary: plan.compactionSummary, chat, logger },
        {
          scope,
          task: 'episode.summarise',
          runId: event.payload.runId,
          jobId,
          signal,
        },
      )
      const now = clock.now()
      const times = stretch.excerpts.map(({ createdAt }) => createdAt.getTime())
      const episode: NewEpisode = {
        id: generateId(),
        agentId,
        userId,
        sessionId: session.id,
        firstSequence: stretch.firstSequence,
        lastSequence: stretch.lastSequence,
        ...text,
        messageCount: stretch.excerpts.length,
        startedAt: new Date(times.reduce((a, b) => Math.min(a, b))),
        endedAt: new Date(times.reduce((a, b) => Math.max(a, b))),
        createdAt: now,
        expiresAt:
          settings.episodicTtlDays === null
            ? undefined
            : new Date(now.getTime() + settings.episodicTtlDays * DAY_MS),
      }
      const index = await memory.prepareEpisode(scope, episode, { signal })
      const created = episodeCreated(event, episode, generateId())
      const stored = await storage.transaction(
        access,
        async (stores) => {
          // The session may be gone, or covered further, since the plan was made. It is locked before the second is read.
          const [present, covered] = await Promise.all([
            stores.sessions.lock(session.id),
            stores.episodes.lastCoveredSequence(session.id),
          ])
          if (!present || covered !== stretch.firstSequence - 1) return false
          const [isNew] = await Promise.all([
            stores.episodes.insertIfNew(episode),
            index.write(stores),
            stores.outbox.publish(created, []),
          ])
          if (isNew) return true
          throw new ConflictError({
            message: `Session ${session.id} is covered up to ${covered}, and has an episode that begins at ${episode.firstSequence}.`,
          })
        },
        { signal },
      )
      logger.debug(stored ? 'episode stored' : 'episode overtaken', {
        sessionId: session.id,
        firstSequence: stretch.firstSequence,
        lastSequence: stretch.lastSequence,
        method: text.method,
      })
      if (stored && stretch.lastSequence >= event.payload.lastSequence) return
    }
  }
}

async function planEpisode(
  stores: Stores,
  event: EventOf<'run.completed'>,
  logger: Logger,
): Promise<Plan | undefined> {
  const { sessionId, lastSequence, runId } = event.payload
  // Asked together: one journey.
  const [session, agent, run, covered] = await Promise.all([
    stores.sessions.findById(sessionId),
    stores.agents.find(event.agentId),
    stores.runs.find(runId),
    stores.episodes.lastCoveredSequence(sessionId),
  ])
  if (!session || session.userId !== event.userId || SKIPPED_KINDS.has(session.kind)) {
    return undefined
  }
  if (!agent) return undefined
  const { settings, issues } = readConsolidationSettings(agent.settings)
  if (issues.length > 0) {
    logger.warn('Settings of an agent are not valid; their defaults hold.', {
      agentId: agent.id,
      issues,
    })
  }
  if (!settings.enabled) return undefined
  const compactionSummary = run?.compactionSummary?.trim() || undefined
  if (settings.idleSeconds > 0 && compactionSummary === undefined) {
    // The newest run's delivery comes when the session has rested, and covers all of it.
    const newest = await stores.runs.latest(sessionId)
    if (newest && newest.id !== runId && newest.lastSequence >= lastSequence) return undefined
  }
  const stretch = await nextStretch({
    firstSequence: covered + 1,
    lastSequence,
    read: (first, last) => stores.messages.range(sessionId, first, last),
    whole: compactionSummary !== undefined,
  })
  return stretch && { session, settings, stretch, compactionSummary }
}

function episodeCreated(
  cause: EventOf<'run.completed'>,
  episode: NewEpisode,
  id: string,
): EventOf<'episodic.created'> {
  const { tenantId, agentId, userId } = cause
  const { sessionId, firstSequence, lastSequence, createdAt } = episode
  return {
    type: 'episodic.created',
    id,
    tenantId,
    agentId,
    userId,
    occurredAt: createdAt,
    payload: { episodeId: episode.id, sessionId, firstSequence, lastSequence },
  }
}
