import { setTimeout as delay } from 'node:timers/promises'
import type { Summon } from '@loam/storage'

/** What is told of a summon while it goes on. */
export interface SummonEvent {
  readonly event: 'started' | 'file_generated' | 'completed' | 'failed' | 'cancelled'
  readonly data: Readonly<Record<string, unknown>>
}

const LOOK_MS = 250

/**
 * Tells of a summon until it has ended. It may be done by another process, so the record is looked at again and again;
 * its files are stored together, so they are told together.
 */
export async function* followSummon(
  find: () => Promise<Summon>,
  signal: AbortSignal,
): AsyncGenerator<SummonEvent> {
  let summon = await find()
  yield { event: 'started', data: { generation: summon.generation, kind: summon.kind } }
  while (summon.state === 'running' && !signal.aborted) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) summon = await find()
  }
  if (summon.state === 'running') return
  const { generation, state, files, error } = summon
  for (const { name, outcome } of files) {
    if (outcome === 'written') yield { event: 'file_generated', data: { generation, name } }
  }
  const kept = files.filter(({ outcome }) => outcome === 'kept')
  yield {
    event: state === 'partial' ? 'completed' : state,
    data: { generation, state, ...(kept.length > 0 && { kept }), ...(error && { error }) },
  }
}
