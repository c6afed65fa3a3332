/** A vector, by the hash of the text that it was made from. */
export interface SkillVector {
  readonly textHash: string
  readonly vector: Float32Array
}

/**
 * Vectors of what skills say of themselves, kept by the hash of that text. A changed text has another hash and thus no vector
 * yet; two skills that say the same share one.
 */
export interface SkillVectorStore {
  /** Those of the hashes that have one in the space. */
  read(spaceId: number, textHashes: readonly string[]): Promise<readonly SkillVector[]>
  /** @throws VectorDimensionError when a vector does not fit; then none is stored. */
  put(spaceId: number, vectors: readonly SkillVector[]): Promise<void>
  /** Deletes all whose hash is not among these, in every space. Returns how many. */
  prune(textHashes: readonly string[]): Promise<number>
}
