import {
  generateId as generateUuid,
  silentLogger,
  systemClock,
  type AbortableOptions,
  type ChatModel,
  type Clock,
  type GenerateId,
  type Logger,
  type Scope,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import type { Episode, Storage } from '@loam/storage'
import { correctEpisode } from './correct-episode.js'
import { createEpisodicHandler, type EventHandler } from './episodic-handler.js'
import { deleteExpiredEpisodes } from './expiry.js'
import { EPISODIC_CONSUMER } from './subscriptions.js'

/** What consolidation works with. */
export interface ConsolidationOptions {
  readonly storage: Storage
  /** Makes episodes findable. */
  readonly memory: Pick<Memory, 'prepareEpisode'>
  /** Writes summaries. Default: none; rules write them. */
  readonly chat?: ChatModel | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: UUID version 7. */
  readonly generateId?: GenerateId | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** The work that turns conversations into memories, to be driven by whoever carries the events. */
export interface Consolidation {
  /** What each consumer does, by its name. */
  readonly handlers: Readonly<Record<string, EventHandler>>
  /**
   * Replaces the summary of an episode by what a person wrote, and what it is found by.
   *
   * @throws InvalidInputError for an empty summary, or one beyond 10,000 characters. @throws NotFoundError when the scope's user has no such episode.
   */
  correctEpisode(
    scope: Scope,
    correction: { readonly episodeId: string; readonly summary: string },
    options?: AbortableOptions,
  ): Promise<Episode>
  /** Deletes the tenant's episodes past their expiry. Returns how many. */
  deleteExpired(tenantId: string, options?: AbortableOptions): Promise<number>
}

/**
 * Composes the workers of consolidation. It starts nothing by itself.
 *
 * @example
 * const consolidation = createConsolidation({ storage, memory })
 * await consolidation.handlers[EPISODIC_CONSUMER]?.(event, { signal, jobId })
 */
export function createConsolidation(options: ConsolidationOptions): Consolidation {
  const {
    storage,
    memory,
    chat,
    clock = systemClock,
    generateId = generateUuid,
    logger = silentLogger,
  } = options
  return {
    handlers: {
      [EPISODIC_CONSUMER]: createEpisodicHandler({
        storage,
        memory,
        chat,
        clock,
        generateId,
        logger,
      }),
    },
    correctEpisode: (scope, correction, abortable) =>
      correctEpisode({ storage, memory, clock }, scope, correction, abortable),
    deleteExpired: (tenantId, abortable) =>
      deleteExpiredEpisodes(storage, { tenantId, now: clock.now() }, abortable),
  }
}
