/** Where vectors of skills are kept, by the hash of the text that they were made from. */
export interface VectorStore {
  read(textHashes: readonly string[]): Promise<readonly KeptVector[]>
  put(vectors: readonly KeptVector[]): Promise<void>
}

/** A vector that is kept. */
export interface KeptVector {
  readonly textHash: string
  readonly vector: Float32Array
}

/** Keeps nothing: for a process that has all vectors in memory anyway. */
export const noVectorStore: VectorStore = {
  read: async () => [],
  put: async () => {},
}
