import type { EmbeddingModel } from '@loam/core'
import type { Access, Storage } from '@loam/storage'

/** Knows in which space the vectors of the embedding model live. */
export interface EmbeddingSpaceLookup {
  /** The id of the space, which is made when it is first needed. */
  idFor(access: Access): Promise<number>
}

/** Asks the store once; a failed attempt is made again. */
export function createEmbeddingSpaceLookup(
  storage: Storage,
  { provider, model, dimensions }: EmbeddingModel,
): EmbeddingSpaceLookup {
  let known: number | undefined
  return {
    idFor: async (access) => {
      known ??= await storage.transaction(access, async ({ embeddingSpaces }) => {
        const space = await embeddingSpaces.ensure({ provider, model, dimensions })
        return space.id
      })
      return known
    },
  }
}
