import type { DeletionReceipt } from '@loam/storage'

/** Counts as a statement returned them. */
export type CountRow = Partial<DeletionReceipt>

/** A receipt in which what was not counted is 0. */
export function toReceipt(counts: CountRow): DeletionReceipt {
  return {
    agents: 0,
    contextFiles: 0,
    sessions: 0,
    messages: 0,
    runs: 0,
    documents: 0,
    episodes: 0,
    chunks: 0,
    vectors: 0,
    ...counts,
  }
}
