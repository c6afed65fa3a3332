import { VectorDimensionError } from '@loam/core'
import type { SkillVectorStore } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { jsonValue, textArray } from '../sql-values.js'
import { knownSpace } from './embedding-spaces.js'
import type { StoreContext } from './store-context.js'

export function createSkillVectorStore(context: StoreContext): SkillVectorStore {
  const { database, access } = context
  const { tenantId } = access
  return {
    async read(spaceId, textHashes) {
      if (textHashes.length === 0) return []
      const rows = await execute<{ readonly textHash: string; readonly embedding: Uint8Array }>(
        database,
        sql`select text_hash as "textHash", embedding from loam.skill_vectors
          where tenant_id = ${tenantId} and space_id = ${spaceId}::int and text_hash = any (${textArray(textHashes)})`,
      )
      return rows.map(({ textHash, embedding }) => ({ textHash, vector: toNumbers(embedding) }))
    },
    async put(spaceId, vectors) {
      const { dimensions } = await knownSpace(context, spaceId)
      for (const { vector } of vectors) {
        if (vector.length !== dimensions) {
          throw new VectorDimensionError({ expected: dimensions, actual: vector.length })
        }
      }
      if (vectors.length === 0) return
      const given = Array.from(
        new Map(vectors.map(({ textHash, vector }) => [textHash, vector])),
        ([hash, vector]) => ({ hash, embedding: toBase64(vector) }),
      )
      await execute(
        database,
        sql`insert into loam.skill_vectors (tenant_id, space_id, text_hash, embedding)
          select ${tenantId}::uuid, ${spaceId}::int, hash, decode(embedding, 'base64')
          from jsonb_to_recordset(${jsonValue(given)}) as given (hash text, embedding text) order by hash
          on conflict (tenant_id, space_id, text_hash) do update set embedding = excluded.embedding`,
      )
    },
    async prune(textHashes) {
      const rows = await execute(
        database,
        sql`delete from loam.skill_vectors
          where tenant_id = ${tenantId} and not (text_hash = any (${textArray(textHashes)})) returning text_hash`,
      )
      return rows.length
    },
  }
}

function toBase64(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  vector.forEach((value, index) => view.setFloat32(index * 4, value, true))
  return Buffer.from(view.buffer).toString('base64')
}

function toNumbers(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) =>
    view.getFloat32(index * 4, true),
  )
}
