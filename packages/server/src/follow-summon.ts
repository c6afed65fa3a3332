import { setTimeout as delay } from 'node:timers/promises'
import type { Summon } from '@loam/storage'

/** What is told of a summon while it goes on. */
export interface SummonEvent {
  readonly event: 'started' | 'file_generated' | 'completed' | 'failed' | 'cancelled'
  readonly data: Readonly<Record<string, unknown>>
}

const LOOK_MS = 250

/**
 * Tells of one summon until it has ended. It may be done by another process, so the record is looked at again and again;
 * its files are stored together, so they are told together. When the record is another one's, or gone, this one is cancelled.
 *
 * @param first what is followed; `find` gives the newest.
 */
export async function* followSummon(
  first: Summon,
  find: () => Promise<Summon | undefined>,
  signal: AbortSignal,
): AsyncGenerator<SummonEvent> {
  const { generation, kind } = first
  yield { event: 'started', data: { generation, kind } }
  let summon: Summon | undefined = first
  while (isRunning(summon, first) && !signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) summon = await find()
  }
  if (isRunning(summon, first)) return
  if (summon === undefined || !isSame(summon, first)) {
    // A cancellation takes a number of its own, which no other summon has.
    const newer = summon?.state === 'cancelled' ? undefined : summon?.generation
    const replaced = newer !== undefined && { replacedBy: newer }
    yield { event: 'cancelled', data: { generation, state: 'cancelled', ...replaced } }
    return
  }
  const { state, files, error } = summon
  for (const { name, outcome } of files) {
    if (outcome === 'written') yield { event: 'file_generated', data: { generation, name } }
  }
  const kept = files.filter(({ outcome }) => outcome === 'kept')
  yield {
    event: eventOf(state),
    data: { generation, state, ...(kept.length > 0 && { kept }), ...(error && { error }) },
  }
}

function isRunning(summon: Summon | undefined, first: Summon): boolean {
  return summon?.state === 'running' && isSame(summon, first)
}

function isSame(summon: Summon, first: Summon): boolean {
  return summon.agentId === first.agentId && summon.generation === first.generation
}

function eventOf(state: Summon['state']): SummonEvent['event'] {
  return state === 'failed' || state === 'cancelled' ? state : 'completed'
}
