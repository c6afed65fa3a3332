import {
  generateId as generateUuid,
  silentLogger,
  systemClock,
  type AbortableOptions,
  type ChatModel,
  type Clock,
  type GenerateId,
  type Logger,
} from '@loam/core'
import type { Memory } from '@loam/memory'
import type { Storage } from '@loam/storage'
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
    deleteExpired: (tenantId, abortable) =>
      deleteExpiredEpisodes(storage, { tenantId, now: clock.now() }, abortable),
  }
}
