import type { AbortableOptions } from '@loam/core'
import type { Storage } from '@loam/storage'

const BATCH_SIZE = 500

/** Deletes the episodes of a tenant that are past their expiry, in batches, with what was derived from them. Returns how many. */
export async function deleteExpiredEpisodes(
  storage: Storage,
  { tenantId, now }: { readonly tenantId: string; readonly now: Date },
  { signal }: AbortableOptions = {},
): Promise<number> {
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const deleted = await storage.transaction(
      { tenantId, everyUser: true },
      ({ episodes }) => episodes.deleteExpired(now, BATCH_SIZE),
      { signal },
    )
    total += deleted
    if (deleted < BATCH_SIZE) return total
  }
}
