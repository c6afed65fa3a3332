/** Where the vectors of one embedding model live. Vectors of two spaces are never compared. */
export interface EmbeddingSpace {
  readonly id: number
  readonly provider: string
  readonly model: string
  readonly dimensions: number
}

export interface EmbeddingSpaceStore {
  /** The installation's space of that model, made if there was none. */
  ensure(space: Omit<EmbeddingSpace, 'id'>): Promise<EmbeddingSpace>
  list(): Promise<readonly EmbeddingSpace[]>
  /**
   * Stores vectors of chunks; a chunk that has one in this space gets the new one, and a chunk that was deleted meanwhile is passed over.
   * A vector of zeros is kept: it says that the chunk was embedded, and it is never found.
   *
   * @throws VectorDimensionError when a vector does not fit; then none is stored.
   */
  putVectors(
    spaceId: number,
    vectors: readonly { readonly chunkId: string; readonly vector: readonly number[] }[],
  ): Promise<void>
}
