import type { GrantedSkill, SkillVersion, StoredSkill } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, type Database } from '../database.js'

/** A skill beside one of its versions, as a statement returns it; moments are milliseconds. */
interface SkillRow {
  readonly id: string
  readonly slug: string
  readonly visibility: StoredSkill['visibility']
  readonly status: StoredSkill['status']
  readonly ownerUserId: string
  readonly ownerAgentId: string | null
  readonly version: number
  readonly name: string
  readonly description: string
  readonly frontmatter: StoredSkill['frontmatter']
  readonly warnings: StoredSkill['warnings']
  readonly contentHash: string
  readonly fileCount: number
  readonly sizeBytes: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

const COLUMNS =
  sql.raw(`s.id, s.slug, s.visibility, s.status, s.owner_user_id as "ownerUserId", s.owner_agent_id as "ownerAgentId",
  v.version, v.name, v.description, v.frontmatter, v.warnings, v.content_hash as "contentHash",
  v.file_count as "fileCount", v.size_bytes as "sizeBytes",
  (extract(epoch from s.created_at) * 1000)::float8 as "createdAt", (extract(epoch from s.updated_at) * 1000)::float8 as "updatedAt",
  (extract(epoch from s.deleted_at) * 1000)::float8 as "deletedAt"`)

/** Skills `s` with the version `v` that is served. `which` begins with its condition and may go on with order and lock. */
export async function selectSkills(
  database: Database,
  tenantId: string,
  which: SQL,
): Promise<readonly StoredSkill[]> {
  const rows = await execute<SkillRow>(
    database,
    sql`select ${COLUMNS} from loam.skills s
      join loam.skill_versions v on v.tenant_id = s.tenant_id and v.skill_id = s.id and v.version = s.version
      where s.tenant_id = ${tenantId} and ${which}`,
  )
  return rows.map(toSkill)
}

/** What an agent and a user may come to use, each with the version that the agent's grant pins. */
export async function selectCandidates(
  database: Database,
  tenantId: string,
  { agentId, userId }: { readonly agentId: string; readonly userId: string },
): Promise<readonly GrantedSkill[]> {
  const rows = await execute<SkillRow & GrantColumns>(
    database,
    sql`select ${COLUMNS}, a.can_manage as "agentManages", a.pinned_version as "pinnedVersion", u.can_manage as "userManages"
      from loam.skills s
      left join loam.skill_agent_grants a on a.tenant_id = s.tenant_id and a.skill_id = s.id and a.agent_id = ${agentId}
      left join loam.skill_user_grants u on u.tenant_id = s.tenant_id and u.skill_id = s.id and u.user_id = ${userId}
      join loam.skill_versions v on v.tenant_id = s.tenant_id and v.skill_id = s.id
        and v.version = coalesce(a.pinned_version, s.version)
      where s.tenant_id = ${tenantId} and s.deleted_at is null order by s.slug`,
  )
  return rows.map((row) => ({
    ...toSkill(row),
    agentGrant:
      row.agentManages === null
        ? undefined
        : { canManage: row.agentManages, pinnedVersion: row.pinnedVersion ?? undefined },
    userGrant: row.userManages === null ? undefined : { canManage: row.userManages },
  }))
}

interface GrantColumns {
  /** Null where there is no grant. */
  readonly agentManages: boolean | null
  readonly pinnedVersion: number | null
  readonly userManages: boolean | null
}

/** What is told of a version. */
export function toVersion(
  row: SkillVersion & { readonly tenantId: string; readonly skillId: string },
): SkillVersion {
  const { tenantId: _tenantId, skillId: _skillId, ...version } = row
  return version
}

function toSkill(row: SkillRow): StoredSkill {
  return {
    id: row.id,
    slug: row.slug,
    visibility: row.visibility,
    status: row.status,
    ownerUserId: row.ownerUserId,
    ownerAgentId: row.ownerAgentId ?? undefined,
    version: row.version,
    name: row.name,
    description: row.description,
    frontmatter: row.frontmatter,
    warnings: row.warnings,
    contentHash: row.contentHash,
    fileCount: row.fileCount,
    sizeBytes: row.sizeBytes,
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
    deletedAt: row.deletedAt === null ? undefined : toDate(row.deletedAt),
  }
}

function toDate(milliseconds: number): Date {
  return new Date(Math.round(milliseconds))
}
