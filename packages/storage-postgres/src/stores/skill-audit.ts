import { ForbiddenError } from '@loam/core'
import type { SkillAuditEntry, SkillAuditStore } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { asMomentCursor, before, checkLimit, readCursor, toPage } from '../paging.js'
import { skillAudit } from '../schema/skill-audit.js'
import { jsonValue } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { MOST_ITEMS } from './page-sizes.js'
import type { StoreContext } from './store-context.js'

const selectEntries = wholeRows(skillAudit)

export function createSkillAuditStore({ database, access }: StoreContext): SkillAuditStore {
  const { tenantId } = access
  return {
    async record({ id, slug, skillId, action, actor, details }) {
      await execute(
        database,
        sql`insert into loam.skill_audit (tenant_id, id, slug, skill_id, action, actor, details)
          values (${tenantId}::uuid, ${id}::uuid, ${slug}::text, ${skillId ?? null}::uuid, ${action}::text, ${actor}::text, ${jsonValue(details)})`,
      )
    },
    async list({ limit, cursor, slug }) {
      if (!access.everyUser) {
        throw new ForbiddenError({
          message: 'What was done with skills concerns all users. Use access to every user.',
        })
      }
      checkLimit(limit, MOST_ITEMS)
      const behind = before(skillAudit.at, skillAudit.id, readCursor(cursor, asMomentCursor))
      const rows = await selectEntries(
        database,
        sql`where tenant_id = ${tenantId}${slug === undefined ? sql`` : sql` and slug = ${slug}`}${
          behind === undefined ? sql`` : sql` and ${behind}`
        } order by at desc, id desc limit ${limit + 1}::int`,
      )
      return toPage(rows.map(toEntry), limit, ({ at, id }) => [at.toISOString(), id])
    },
  }
}

function toEntry({
  tenantId: _tenantId,
  skillId,
  ...entry
}: typeof skillAudit.$inferSelect): SkillAuditEntry {
  return { ...entry, skillId: skillId ?? undefined }
}
