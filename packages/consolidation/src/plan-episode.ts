import { InvalidInputError, type LoamEvent, type Logger } from '@loam/core'
import type { Session, SessionKind, Stores } from '@loam/storage'
import { readConsolidationSettings, type ConsolidationSettings } from './settings.js'
import { nextStretch, type Stretch } from './stretch.js'

/** Sessions without a conversation in them (spec 05, 6.2). */
const SKIPPED_KINDS: ReadonlySet<SessionKind> = new Set(['cron', 'heartbeat'])

/** What an event asks for. */
export interface EpisodicWork {
  readonly userId: string
  readonly agentId: string
  readonly sessionId: string
  /** The run that ended; undefined when an episode was withdrawn. */
  readonly runId: string | undefined
  /** Where to begin; undefined: behind what is covered. */
  readonly firstSequence: number | undefined
  readonly lastSequence: number
}

/** What is to be done next, read in one transaction. */
export interface EpisodePlan {
  readonly session: Session
  readonly settings: ConsolidationSettings
  readonly stretch: Stretch
  readonly compactionSummary: string | undefined
}

/** Reads from an event what it asks for. @throws InvalidInputError for an event that is not about episodes. */
export function workOf(event: LoamEvent): EpisodicWork {
  const { agentId, userId } = event
  switch (event.type) {
    case 'run.completed':
      return { agentId, userId, ...event.payload, firstSequence: undefined }
    case 'episode.withdrawn':
      return { agentId, userId, ...event.payload, runId: undefined }
    default:
      throw new InvalidInputError({
        message: `Episodes are made of run.completed and episode.withdrawn events, and event ${event.id} is a ${event.type}.`,
      })
  }
}

/** Plans the next episode; undefined when there is none to make. */
export async function planEpisode(
  stores: Stores,
  work: EpisodicWork,
  logger: Logger,
): Promise<EpisodePlan | undefined> {
  const { sessionId, lastSequence, runId } = work
  // Asked together: one journey.
  const [session, agent, run] = await Promise.all([
    stores.sessions.findById(sessionId),
    stores.agents.find(work.agentId),
    runId === undefined ? undefined : stores.runs.find(runId),
  ])
  if (!session || session.userId !== work.userId || SKIPPED_KINDS.has(session.kind)) {
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
  if (runId !== undefined && settings.idleSeconds > 0 && compactionSummary === undefined) {
    // The newest run's delivery comes when the session has rested, and covers all of it.
    const newest = await stores.runs.latest(sessionId)
    if (newest && newest.id !== runId && newest.lastSequence >= lastSequence) return undefined
  }
  const stretchFrom = (firstSequence: number): Promise<Stretch | undefined> =>
    nextStretch({
      firstSequence,
      lastSequence,
      read: (first, last) => stores.messages.range(sessionId, first, last),
      whole: compactionSummary !== undefined,
    })
  let stretch = await stretchFrom(work.firstSequence ?? session.coveredSequence + 1)
  while (
    stretch &&
    work.firstSequence !== undefined &&
    (await isCovered(stores, sessionId, stretch))
  ) {
    stretch = await stretchFrom(stretch.lastSequence + 1)
  }
  return stretch && { session, settings, stretch, compactionSummary }
}

/** Whether the plan is still what the store asks for; locks the session, which may be gone, covered further, or have forgotten something. */
export async function stillHolds(
  stores: Stores,
  work: EpisodicWork,
  { session, stretch }: EpisodePlan,
): Promise<boolean> {
  const present = await stores.sessions.lock(session.id)
  if (present?.forgottenCount !== session.forgottenCount) return false
  return work.firstSequence === undefined
    ? present.coveredSequence === stretch.firstSequence - 1
    : !(await isCovered(stores, session.id, stretch))
}

function isCovered(
  stores: Stores,
  sessionId: string,
  { firstSequence, lastSequence }: Stretch,
): Promise<boolean> {
  return stores.episodes.overlap(sessionId, { firstSequence, lastSequence })
}
