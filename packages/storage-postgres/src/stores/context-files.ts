import { KEPT_FILE_VERSIONS, type ContextFileStore, type StoredContextFile } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute } from '../database.js'
import { contextFileVersions } from '../schema/context-file-versions.js'
import { contextFiles } from '../schema/context-files.js'
import { isUuid, jsonValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import type { StoreContext } from './store-context.js'

const selectFiles = wholeRows(contextFiles)
const selectVersions = wholeRows(contextFileVersions)

export function createContextFileStore({ database, access }: StoreContext): ContextFileStore {
  const { tenantId } = access
  const of = (agentId: string, userId: string, name?: string): SQL =>
    sql`tenant_id = ${tenantId} and agent_id = ${agentId} and user_id = ${userId}${
      name === undefined ? sql`` : sql` and name = ${name}`
    }`

  async function find(agentId: string, userId: string, name: string) {
    if (!isUuid(agentId)) return undefined
    const [row] = await selectFiles(database, sql`where ${of(agentId, userId, name)}`)
    return row && toFile(row)
  }

  async function put(file: Parameters<ContextFileStore['put']>[0]): Promise<StoredContextFile> {
    const { agentId, userId, name, content } = file
    // The row is locked by what keeps its old text, so that of two writers none is lost from the versions.
    await execute(
      database,
      sql`with replaced as (
          select * from loam.context_files where ${of(agentId, userId, name)} and content <> ${content} for update
        )
        insert into loam.context_file_versions (tenant_id, agent_id, user_id, name, version, content)
        select tenant_id, agent_id, user_id, name, version, content from replaced`,
    )
    await execute(
      database,
      sql`insert into loam.context_files as f (tenant_id, agent_id, user_id, name, content)
        values (${tenantId}::uuid, ${agentId}::uuid, ${userId}::text, ${name}::text, ${content}::text)
        on conflict (tenant_id, agent_id, user_id, name) do update
          set content = excluded.content, version = f.version + (f.content <> excluded.content)::int,
            updated_at = clock_timestamp()`,
    )
    await execute(
      database,
      sql`delete from loam.context_file_versions where ${of(agentId, userId, name)} and version <= (
          select version - ${KEPT_FILE_VERSIONS + 1}::int from loam.context_files where ${of(agentId, userId, name)}
        )`,
    )
    const written = await find(agentId, userId, name)
    if (written) return written
    throw new TypeError('A file that was just written is not there.')
  }

  return {
    find,
    put,
    async replace(file, before) {
      const { agentId, userId, name, content } = file
      if (!isUuid(agentId)) return undefined
      if (before !== undefined) {
        const rows = await execute(
          database,
          sql`select 1 from loam.context_files where ${of(agentId, userId, name)}
            and version = ${before.version}::int and content = ${before.content}::text for update`,
        )
        return rows.length > 0 ? await put(file) : undefined
      }
      const rows = await execute(
        database,
        sql`insert into loam.context_files (tenant_id, agent_id, user_id, name, content)
        values (${tenantId}::uuid, ${agentId}::uuid, ${userId}::text, ${name}::text, ${content}::text)
        on conflict do nothing returning name`,
      )
      return rows.length > 0 ? await find(agentId, userId, name) : undefined
    },
    async list(agentId, userId) {
      if (!isUuid(agentId)) return []
      const rows = await selectFiles(
        database,
        sql`where ${of(agentId, userId)} order by name collate "C"`,
      )
      return rows.map(toFile)
    },
    async putMissing(agentId, userId, files) {
      if (files.length === 0 || !isUuid(agentId)) return []
      const rows = await execute<{ readonly name: string }>(
        database,
        sql`insert into loam.context_files as f (tenant_id, agent_id, user_id, name, content)
        select ${tenantId}::uuid, ${agentId}::uuid, ${userId}::text, name, content
        from jsonb_to_recordset(${jsonValue(files)}) as given (name text, content text) order by name
        on conflict (tenant_id, agent_id, user_id, name) do update
          set content = excluded.content, version = f.version + 1, updated_at = clock_timestamp()
          where f.content = ''
        returning name`,
      )
      const written = new Set(rows.map(({ name }) => name))
      return files.map(({ name }) => name).filter((name) => written.has(name))
    },
    async delete(agentId, userId, name) {
      if (!isUuid(agentId)) return false
      const rows = await execute(
        database,
        sql`delete from loam.context_files where ${of(agentId, userId, name)} returning name`,
      )
      return rows.length > 0
    },
    async versions(agentId, userId, name) {
      if (!isUuid(agentId)) return []
      const rows = await selectVersions(
        database,
        sql`where ${of(agentId, userId, name)} order by version desc`,
      )
      return rows.map(({ version, content, replacedAt }) => ({ version, content, replacedAt }))
    },
  }
}

function toFile(row: typeof contextFiles.$inferSelect): StoredContextFile {
  const { tenantId: _tenantId, ...file } = row
  return file
}
