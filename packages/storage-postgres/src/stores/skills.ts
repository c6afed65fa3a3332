import { NotFoundError } from '@loam/core'
import {
  skillSlugTaken,
  type NewSkill,
  type SkillErasure,
  type SkillStore,
  type StoredSkill,
} from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, executeOne } from '../database.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { skillVersions } from '../schema/skill-versions.js'
import { isUuid, jsonValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { MOST_ITEMS } from './page-sizes.js'
import { createSkillFileReads, insertSkillFiles } from './skill-files.js'
import { raiseSkillRevision, readSkillRevision } from './skill-revision.js'
import { selectCandidates, selectSkills, toVersion } from './skill-rows.js'
import type { StoreContext } from './store-context.js'

const selectVersions = wholeRows(skillVersions)

export function createSkillStore(context: StoreContext): SkillStore {
  const { database, access } = context
  const { tenantId } = access
  const select = (which: SQL): Promise<readonly StoredSkill[]> =>
    selectSkills(database, tenantId, which)
  const touched = (): Promise<void> => raiseSkillRevision(database, tenantId)

  async function find(idOrSlug: string): Promise<StoredSkill | undefined> {
    return (await select(named(idOrSlug)))[0]
  }

  async function hold(skill: NewSkill): Promise<{ readonly id: string; readonly version: number }> {
    const [made] = await execute<{ readonly id: string; readonly version: number }>(
      database,
      sql`insert into loam.skills (tenant_id, id, slug, visibility, owner_user_id, owner_agent_id)
        values (${tenantId}::uuid, ${skill.id}::uuid, ${skill.slug}::text, ${skill.visibility}::text,
          ${skill.ownerUserId}::text, ${skill.ownerAgentId ?? null}::uuid)
        on conflict (tenant_id, slug) where deleted_at is null do nothing returning id, version`,
    )
    if (made) return made
    const [held] = await execute<{ readonly id: string; readonly version: number }>(
      database,
      sql`select s.id, s.version from loam.skills s
        where s.tenant_id = ${tenantId} and s.slug = ${skill.slug} and s.deleted_at is null for update`,
    )
    if (held) return held
    throw skillSlugTaken(skill.slug)
  }

  return {
    ...createSkillFileReads(context),
    find,
    revision: () => readSkillRevision(database, tenantId),
    async candidates(agentId) {
      if (!isUuid(agentId)) return []
      return await selectCandidates(database, tenantId, { agentId, userId: access.userId ?? '' })
    },
    async lock(idOrSlug) {
      return (await select(sql`${named(idOrSlug)} for no key update of s`))[0]
    },
    async list({ limit, cursor, managedBy }) {
      checkLimit(limit, MOST_ITEMS)
      const after = readCursor(cursor, ([slug]) =>
        typeof slug === 'string' ? ([slug] as const) : undefined,
      )
      const behind = after === undefined ? sql`` : sql` and s.slug > ${after[0]}`
      const found = await select(
        sql`s.deleted_at is null${isManagedBy(managedBy)}${behind} order by s.slug limit ${limit + 1}::int`,
      )
      return toPage(found, limit, ({ slug }) => [slug])
    },
    async putVersion(skill, { files, ...version }) {
      const { id: skillId, version: served } = await hold(skill)
      const [newest] = await selectVersions(
        database,
        sql`where tenant_id = ${tenantId} and skill_id = ${skillId} order by version desc limit 1`,
      )
      if (newest?.contentHash === version.contentHash && newest.version === served) return undefined
      const number = (newest?.version ?? 0) + 1
      const sizeBytes = files.reduce((sum, { content }) => sum + content.length, 0)
      await execute(
        database,
        sql`insert into loam.skill_versions (tenant_id, skill_id, version, name, description, frontmatter, warnings,
            content_hash, file_count, size_bytes, created_by)
          values (${tenantId}::uuid, ${skillId}::uuid, ${number}::int, ${version.name}::text, ${version.description}::text,
            ${jsonValue(version.frontmatter)}, ${jsonValue(version.warnings)}, ${version.contentHash}::text,
            ${files.length}::int, ${sizeBytes}::int, ${version.createdBy}::text)`,
      )
      await insertSkillFiles(database, { tenantId, skillId, version: number }, files)
      await execute(
        database,
        sql`update loam.skills set version = ${number}::int, updated_at = clock_timestamp()
          where tenant_id = ${tenantId} and id = ${skillId}`,
      )
      await touched()
      return await find(skillId)
    },
    async versions(skillId) {
      if (!isUuid(skillId)) return []
      const rows = await selectVersions(
        database,
        sql`where tenant_id = ${tenantId} and skill_id = ${skillId} order by version desc`,
      )
      return rows.map(toVersion)
    },
    async update(skillId, { visibility, status, version }) {
      if (!isUuid(skillId)) return undefined
      if (version !== undefined) await requireVersion(skillId, version)
      const set = [
        ...(visibility === undefined ? [] : [sql`visibility = ${visibility}::text`]),
        ...(status === undefined ? [] : [sql`status = ${status}::text`]),
        ...(version === undefined ? [] : [sql`version = ${version}::int`]),
        sql`updated_at = clock_timestamp()`,
      ]
      await execute(
        database,
        sql`update loam.skills set ${sql.join(set, sql`, `)} where tenant_id = ${tenantId} and id = ${skillId}`,
      )
      await touched()
      return await find(skillId)
    },
    async delete(skillId) {
      if (!isUuid(skillId)) return false
      const rows = await execute(
        database,
        sql`update loam.skills set deleted_at = clock_timestamp()
          where tenant_id = ${tenantId} and id = ${skillId} and deleted_at is null returning id`,
      )
      await touched()
      return rows.length > 0
    },
    async restore(skillId) {
      const skill = isUuid(skillId) ? await find(skillId) : undefined
      if (skill?.deletedAt === undefined) return skill
      const rows = await execute(
        database,
        sql`update loam.skills s set deleted_at = null where tenant_id = ${tenantId} and id = ${skillId} and not exists (
          select from loam.skills o where o.tenant_id = s.tenant_id and o.slug = s.slug and o.deleted_at is null
        ) returning id`,
      )
      if (rows.length === 0) throw skillSlugTaken(skill.slug)
      await touched()
      return await find(skillId)
    },
    async erase(skillId) {
      if (!isUuid(skillId)) return { skills: 0, versions: 0, files: 0, grants: 0 }
      const of = sql`tenant_id = ${tenantId} and skill_id = ${skillId}`
      const counts = await executeOne<Omit<SkillErasure, 'skills'>>(
        database,
        sql`select (select count(*)::int from loam.skill_versions where ${of}) as versions,
          (select count(*)::int from loam.skill_files where ${of}) as files,
          (select count(*)::int from loam.skill_agent_grants where ${of})
            + (select count(*)::int from loam.skill_user_grants where ${of}) as grants`,
      )
      // First what refers to its versions.
      await execute(database, sql`delete from loam.skill_agent_grants where ${of}`)
      const rows = await execute(
        database,
        sql`delete from loam.skills where tenant_id = ${tenantId} and id = ${skillId} returning id`,
      )
      await touched()
      return { skills: rows.length, ...counts }
    },
    async switchedOff() {
      const rows = await execute<{ readonly slug: string }>(
        database,
        sql`select slug from loam.skill_switches where tenant_id = ${tenantId} and not enabled order by slug`,
      )
      return rows.map(({ slug }) => slug)
    },
    async setSwitch(slug, enabled) {
      await execute(
        database,
        sql`insert into loam.skill_switches (tenant_id, slug, enabled) values (${tenantId}::uuid, ${slug}::text, ${enabled}::boolean)
          on conflict (tenant_id, slug) do update set enabled = excluded.enabled`,
      )
      await touched()
    },
  }

  async function requireVersion(skillId: string, version: number): Promise<void> {
    const [known] = await selectVersions(
      database,
      sql`where tenant_id = ${tenantId} and skill_id = ${skillId} and version = ${version}::int`,
    )
    if (known) return
    throw new NotFoundError({ message: `The skill has no version ${version}.` })
  }
}

function named(idOrSlug: string): SQL {
  return isUuid(idOrSlug)
    ? sql`s.id = ${idOrSlug}`
    : sql`s.slug = ${idOrSlug} and s.deleted_at is null`
}

/** Before the page is cut, so that neither its length nor its cursor tells of others. */
function isManagedBy(userId: string | undefined): SQL {
  if (userId === undefined) return sql``
  return sql` and ${userId}::text <> '' and (s.owner_user_id = ${userId}::text or exists (
    select from loam.skill_user_grants g
    where g.tenant_id = s.tenant_id and g.skill_id = s.id and g.user_id = ${userId}::text and g.can_manage
  ))`
}
