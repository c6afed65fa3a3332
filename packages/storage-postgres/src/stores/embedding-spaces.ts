import { InvalidInputError, NotFoundError, VectorDimensionError } from '@loam/core'
import type { EmbeddingSpace, EmbeddingSpaceStore } from '@loam/storage'
import { and, asc, eq, sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { embeddingSpaces } from '../schema/embedding-spaces.js'
import { booleanArray, isUuid, uuidArray } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

export function createEmbeddingSpaceStore(context: StoreContext): EmbeddingSpaceStore {
  const { database, access, vectorArray } = context
  return {
    async ensure({ provider, model, dimensions }) {
      const find = async (): Promise<EmbeddingSpace | undefined> => {
        const [row] = await database
          .select()
          .from(embeddingSpaces)
          .where(
            and(
              eq(embeddingSpaces.provider, provider),
              eq(embeddingSpaces.model, model),
              eq(embeddingSpaces.dimensions, dimensions),
            ),
          )
        return row
      }
      const present = await find()
      if (present) return present
      checkDimensions(dimensions)
      await database
        .insert(embeddingSpaces)
        .values({ provider, model, dimensions })
        .onConflictDoNothing()
      const made = await find()
      if (made === undefined) throw new TypeError('An embedding space vanished.')
      return made
    },
    list: () => database.select().from(embeddingSpaces).orderBy(asc(embeddingSpaces.id)),
    async putVectors(spaceId, vectors) {
      const { dimensions } = await knownSpace(context, spaceId)
      for (const { vector } of vectors) checkVector(vector, dimensions)
      const known = vectors.filter(({ chunkId }) => isUuid(chunkId))
      if (known.length === 0) return
      // Of two vectors for one chunk the later counts; one statement cannot write a row twice.
      const latest = new Map(known.map(({ chunkId, vector }) => [chunkId, vector]))
      const given = await vectorArray([...latest.values()])
      await execute(
        database,
        // The chunks are held, so that none is deleted between being read here and being referred to.
        sql`with given as (
          select * from unnest(${uuidArray([...latest.keys()])}, ${booleanArray([...latest.values()].map(isZero))}, ${given})
            as v (chunk_id, is_zero, embedding)
        ), held as (
          select c.id, c.scope_id from loam.chunks c
          where c.tenant_id = ${access.tenantId} and c.id = any (array(select chunk_id from given))
          order by c.id for key share of c
        ), revised as (
          update loam.scopes s set revision = nextval('loam.scope_revisions')
          where s.tenant_id = ${access.tenantId} and s.scope_id = any (array(select distinct scope_id from held))
          returning s.scope_id, s.revision
        )
        insert into loam.chunk_vectors (tenant_id, chunk_id, space_id, scope_id, dimensions, is_zero, embedding, revision)
        select ${access.tenantId}::uuid, h.id, ${spaceId}::int, h.scope_id, ${dimensions}::int, g.is_zero, g.embedding, r.revision
        from held h join given g on g.chunk_id = h.id join revised r on r.scope_id = h.scope_id
        on conflict (tenant_id, chunk_id, space_id)
          do update set is_zero = excluded.is_zero, embedding = excluded.embedding, revision = excluded.revision`,
      )
    },
  }
}

/** @throws NotFoundError when there is no such space. */
export async function findSpace(database: Database, spaceId: number): Promise<EmbeddingSpace> {
  const [space] = Number.isInteger(spaceId)
    ? await database.select().from(embeddingSpaces).where(eq(embeddingSpaces.id, spaceId))
    : []
  if (space) return space
  throw new NotFoundError({ message: `There is no embedding space ${spaceId}.` })
}

/** Like `findSpace`, from memory when it was found before: a space never changes, and is never removed. */
export async function knownSpace(
  { database, spaces }: Pick<StoreContext, 'database' | 'spaces'>,
  spaceId: number,
): Promise<EmbeddingSpace> {
  const known = spaces.get(spaceId)
  if (known) return known
  const space = await findSpace(database, spaceId)
  spaces.set(spaceId, space)
  return space
}

/** @throws VectorDimensionError or InvalidInputError when the vector cannot be one of that space. */
export function checkVector(vector: readonly number[], dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new VectorDimensionError({ expected: dimensions, actual: vector.length })
  }
  if (vector.every((value) => Number.isFinite(Math.fround(value)))) return
  throw new InvalidInputError({
    message: 'A vector has a component that is not a finite number of single precision.',
  })
}

/** Whether the vector has no direction as far as pgvector can tell, which adds up squares in single precision. */
export function isZero(vector: readonly number[]): boolean {
  return vector.every((value) => Math.fround(Math.fround(value) ** 2) === 0)
}

// The most that pgvector's `vector` type holds.
const MOST_DIMENSIONS = 16_000

function checkDimensions(dimensions: number): void {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= MOST_DIMENSIONS) return
  throw new InvalidInputError({
    message: `An embedding space cannot have ${dimensions} dimensions. It takes 1 to ${MOST_DIMENSIONS}.`,
  })
}
