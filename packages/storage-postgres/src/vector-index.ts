import { InvalidInputError } from '@loam/core'
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Database } from './database.js'
import { findSpace } from './stores/embedding-spaces.js'

// The most that an HNSW index holds of each type (pgvector 0.8, "HNSW").
const MOST_VECTOR_DIMENSIONS = 2000
const MOST_HALFVEC_DIMENSIONS = 4000

/** The name of the index of a space, without its schema. */
export function vectorIndexName(spaceId: number): string {
  return `chunk_vectors_space_${spaceId}`
}

/** The distance between a stored vector `v.embedding` and another, as the index of a space of that many dimensions knows it. */
export function indexedDistance(dimensions: number, vector: SQL): SQL {
  const type = sql.raw(indexedType(dimensions))
  return sql`v.embedding::${type} <=> ${vector}::text::${type}`
}

/**
 * Builds the HNSW index of a space, unless it is there. For the owner of the tables; writers wait meanwhile.
 *
 * @throws InvalidInputError when the space has more dimensions than an index holds; its vectors are then searched exactly.
 */
export async function buildVectorIndex(database: Database, spaceId: number): Promise<void> {
  const { id, dimensions } = await findSpace(database, spaceId)
  const type = indexedType(dimensions)
  const operators = type.startsWith('halfvec') ? 'halfvec_cosine_ops' : 'vector_cosine_ops'
  await execute(
    database,
    sql.raw(
      `create index if not exists ${vectorIndexName(id)} on loam.chunk_vectors
       using hnsw ((embedding::${type}) ${operators}) where space_id = ${id} and not is_zero`,
    ),
  )
}

/** Both the type and the number of dimensions become part of statements, so they are made of checked numbers alone. */
function indexedType(dimensions: number): string {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= MOST_HALFVEC_DIMENSIONS) {
    return `${dimensions <= MOST_VECTOR_DIMENSIONS ? 'vector' : 'halfvec'}(${dimensions})`
  }
  throw new InvalidInputError({
    message: `A space of ${dimensions} dimensions cannot have an index, which holds up to ${MOST_HALFVEC_DIMENSIONS}. Its vectors are searched exactly; for large stores choose a model with fewer dimensions.`,
    details: { dimensions, most: MOST_HALFVEC_DIMENSIONS },
  })
}
