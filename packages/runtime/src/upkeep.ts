import type { Consolidation } from '@loam/consolidation'
import type { Clock, Logger } from '@loam/core'
import type { Memory } from '@loam/memory'
import type { Skills } from '@loam/skills'
import type { Storage } from '@loam/storage'
import { startPeriodicJob } from './periodic-job.js'

/** Spec 05, 6.6. */
const INTERVAL_MS = 6 * 3_600_000
/** How long what has been handled can still be looked up. */
const EVENTS_KEPT_MS = 7 * 86_400_000
const PRUNE_BATCH = 1_000
/** Longer than any work takes that may have begun before an erasure. */
const ERASURES_KEPT_MS = 86_400_000

/** What keeps an installation tidy in the background. */
export interface Upkeep {
  /** Ends it; resolves when the work in hand has ended. */
  stop(): Promise<void>
}

/** What upkeep works with. */
export interface UpkeepOptions {
  readonly storage: Storage
  readonly memory: Memory
  readonly consolidation: Consolidation
  readonly skills: Pick<Skills, 'embedMissing'>
  readonly clock: Clock
  readonly logger: Logger
  /** Whether to give vectors to what lacks them, too. */
  readonly embedsMissing: boolean
}

/** Starts to delete expired episodes, to forget handled events and erasures, and to embed what lacks a vector: at once, and then every six hours. */
export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { storage, memory, consolidation, skills, clock, logger, embedsMissing } = options
  const forEachTenant =
    (work: (tenantId: string, signal: AbortSignal) => Promise<number>, done: string) =>
    async (signal: AbortSignal): Promise<void> => {
      for (const { id } of await storage.system.tenants.list()) {
        const count = await work(id, signal)
        if (count > 0) logger.info(done, { tenantId: id, count })
      }
    }
  async function pruneEvents(tenantId: string, signal: AbortSignal): Promise<number> {
    const before = new Date(clock.now().getTime() - EVENTS_KEPT_MS)
    for (let total = 0; ;) {
      const count = await storage.transaction(
        { tenantId, everyUser: true },
        ({ outbox }) => outbox.prune(before, PRUNE_BATCH),
        { signal },
      )
      total += count
      if (count < PRUNE_BATCH) return total
    }
  }
  async function forgetErasures(tenantId: string, signal: AbortSignal): Promise<number> {
    const before = new Date(clock.now().getTime() - ERASURES_KEPT_MS)
    return await storage.transaction(
      { tenantId, everyUser: true },
      ({ userData }) => userData.forgetErasures(before),
      { signal },
    )
  }
  const jobs = [
    startPeriodicJob(forEachTenant(forgetErasures, 'erasures forgotten'), {
      name: 'erasures.forget',
      everyMs: INTERVAL_MS,
      logger,
    }),
    startPeriodicJob(
      forEachTenant(
        (tenantId, signal) => consolidation.deleteExpired(tenantId, { signal }),
        'expired episodes deleted',
      ),
      { name: 'episodes.expiry', everyMs: INTERVAL_MS, logger },
    ),
    startPeriodicJob(forEachTenant(pruneEvents, 'handled events forgotten'), {
      name: 'events.prune',
      everyMs: INTERVAL_MS,
      logger,
    }),
    startPeriodicJob(
      forEachTenant(
        (tenantId, signal) => skills.embedMissing(tenantId, { signal }),
        'vectors of skills made',
      ),
      { name: 'skills.embed', everyMs: INTERVAL_MS, logger },
    ),
  ]
  if (embedsMissing) {
    jobs.push(
      startPeriodicJob(
        forEachTenant(
          (tenantId, signal) => memory.embedMissing({ tenantId, everyUser: true }, {}, { signal }),
          'missing vectors made',
        ),
        { name: 'embeddings.missing', everyMs: INTERVAL_MS, logger },
      ),
    )
  }
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
