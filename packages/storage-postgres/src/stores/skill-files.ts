import type { SkillStore, StoredSkillFile } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { isUuid, textArray } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

/** The part of the store of skills that reads their files. */
export function createSkillFileReads({
  database,
  access,
}: StoreContext): Pick<SkillStore, 'listFiles' | 'readFiles'> {
  const { tenantId } = access
  return {
    async listFiles(skillId, version) {
      if (!isUuid(skillId)) return []
      return await execute<{ readonly path: string; readonly sizeBytes: number }>(
        database,
        sql`select path, size_bytes as "sizeBytes" from loam.skill_files
          where tenant_id = ${tenantId} and skill_id = ${skillId} and version = ${version}::int order by path`,
      )
    },
    async readFiles(skillId, version, paths) {
      if (!isUuid(skillId)) return []
      const chosen = paths === undefined ? sql`` : sql` and path = any (${textArray(paths)})`
      const rows = await execute<{ readonly path: string; readonly content: Uint8Array }>(
        database,
        sql`select path, content from loam.skill_files
          where tenant_id = ${tenantId} and skill_id = ${skillId} and version = ${version}::int${chosen} order by path`,
      )
      return rows.map(({ path, content }) => ({ path, content }))
    },
  }
}

/** Stores the files of a new version, one statement for each, so that none becomes too large. */
export async function insertSkillFiles(
  database: Database,
  owner: { readonly tenantId: string; readonly skillId: string; readonly version: number },
  files: readonly StoredSkillFile[],
): Promise<void> {
  const { tenantId, skillId, version } = owner
  await Promise.all(
    files.map(({ path, content }) =>
      execute(
        database,
        // Base64 is the one form in which both drivers pass bytes alike.
        sql`insert into loam.skill_files (tenant_id, skill_id, version, path, size_bytes, content)
          values (${tenantId}::uuid, ${skillId}::uuid, ${version}::int, ${path}::text, ${content.length}::int,
            decode(${Buffer.from(content).toString('base64')}::text, 'base64'))`,
      ),
    ),
  )
}
