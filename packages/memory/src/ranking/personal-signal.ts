import type { ChunkKey } from '@loam/storage'

/**
 * The factor by which a shared document stands behind one of the user's own. Spec 04, 5.4 multiplies personal rows by 1.2;
 * dividing the shared ones by it keeps the same order and every score within 1, and leaves messages and episodes, which are always the user's, alone.
 */
export function personalFactor(chunk: ChunkKey, personal: number): number {
  return chunk.source === 'documents' && chunk.userId === '' ? 1 / personal : 1
}
