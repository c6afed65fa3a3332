import type { EmbeddingModel, Scope } from '@loam/core'
import type { Storage } from '@loam/storage'

/** Knows in which space the vectors of the embedding model live. */
export interface EmbeddingSpaceLookup {
  /** The id of the space, which is made when it is first needed. */
  idFor(scope: Scope): Promise<number>
}

/** Asks the store once; a failed attempt is made again. */
export function createEmbeddingSpaceLookup(
  storage: Storage,
  { provider, model, dimensions }: EmbeddingModel,
): EmbeddingSpaceLookup {
  let known: number | undefined
  return {
    idFor: async ({ tenantId, userId }) => {
      known ??= await storage.transaction({ tenantId, userId }, async ({ embeddingSpaces }) => {
        const space = await embeddingSpaces.ensure({ provider, model, dimensions })
        return space.id
      })
      return known
    },
  }
}
