import { sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'

/** How often the tenant's skills were changed. */
export async function readSkillRevision(database: Database, tenantId: string): Promise<number> {
  const [row] = await execute<{ readonly revision: number }>(
    database,
    sql`select revision::float8 as revision from loam.skill_revisions where tenant_id = ${tenantId}`,
  )
  return row?.revision ?? 0
}

/** Tells everybody who keeps the tenant's skills in memory that they are old, once this transaction is committed. */
export async function raiseSkillRevision(database: Database, tenantId: string): Promise<void> {
  await execute(
    database,
    sql`insert into loam.skill_revisions as r (tenant_id, revision) values (${tenantId}::uuid, 1)
      on conflict (tenant_id) do update set revision = r.revision + 1`,
  )
}
