import {
  ConflictError,
  type ChatModel,
  type Clock,
  type EventOf,
  type GenerateId,
  type Logger,
  type LoamEvent,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import type { NewEpisode, Storage } from '@loam/storage'
import { planEpisode, stillHolds, workOf } from './plan-episode.js'
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

const DAY_MS = 86_400_000

/**
 * Makes the episodes that an event calls for: after `run.completed` of the messages that no episode covers yet, up to the event's
 * last sequence; after `episode.withdrawn` of what remains of its stretch.
 *
 * Each episode is planned from what the store says at that moment, and written only if that still holds, with the
 * session locked. So a delivery that comes twice, late, beside another, or after a crash leaves the same episodes, and nothing
 * that was forgotten meanwhile is in one.
 */
export function createEpisodicHandler(options: EpisodicHandlerOptions): EventHandler {
  const { storage, memory, chat, clock, generateId, logger } = options

  return async (event, { signal, jobId }) => {
    const work = workOf(event)
    const { tenantId, agentId, userId } = event
    const access = { tenantId, userId }
    for (;;) {
      signal.throwIfAborted()
      const scope = { tenantId, agentId, userId, sinceErasure: storage.lastErasure() }
      const plan = await storage.transaction(
        access,
        (stores) => planEpisode(stores, work, logger),
        { signal, readOnly: true },
      )
      if (!plan) return
      const { session, settings, stretch } = plan
      const text = await summarise(
        { stretch, session, compactionSummary: plan.compactionSummary, chat, logger },
        {
          scope,
          task: 'episode.summarise',
          runId: work.runId,
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
          if (!(await stillHolds(stores, work, plan))) return false
          const [isNew] = await Promise.all([
            stores.episodes.insertIfNew(episode),
            index.write(stores),
            stores.outbox.publish(created, []),
          ])
          if (isNew) return true
          throw new ConflictError({
            message: `Session ${session.id} is not covered at ${episode.firstSequence}, and has an episode that begins there.`,
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
      if (stored && stretch.lastSequence >= work.lastSequence) return
    }
  }
}

function episodeCreated(
  cause: LoamEvent,
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
