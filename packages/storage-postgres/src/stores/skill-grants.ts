import type { SkillGrantStore } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { skillAgentGrants } from '../schema/skill-agent-grants.js'
import { skillUserGrants } from '../schema/skill-user-grants.js'
import { isUuid } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { raiseSkillRevision } from './skill-revision.js'
import type { StoreContext } from './store-context.js'

const selectAgentGrants = wholeRows(skillAgentGrants)
const selectUserGrants = wholeRows(skillUserGrants)

export function createSkillGrantStore({ database, access }: StoreContext): SkillGrantStore {
  const { tenantId } = access

  async function list(skillId: string): ReturnType<SkillGrantStore['list']> {
    if (!isUuid(skillId)) return { agents: [], users: [] }
    const of = sql`where tenant_id = ${tenantId} and skill_id = ${skillId} order by`
    const [agents, users] = await Promise.all([
      selectAgentGrants(database, sql`${of} agent_id`),
      selectUserGrants(database, sql`${of} user_id`),
    ])
    return { agents: agents.map(toAgentGrant), users: users.map(toUserGrant) }
  }

  return {
    list,
    async putAgent({ skillId, agentId, pinnedVersion, canManage, grantedBy }) {
      await execute(
        database,
        sql`insert into loam.skill_agent_grants (tenant_id, skill_id, agent_id, pinned_version, can_manage, granted_by)
          values (${tenantId}::uuid, ${skillId}::uuid, ${agentId}::uuid, ${pinnedVersion ?? null}::int, ${canManage}::boolean, ${grantedBy}::text)
          on conflict (tenant_id, skill_id, agent_id)
            do update set can_manage = excluded.can_manage,
              pinned_version = case when ${pinnedVersion === undefined}::boolean then skill_agent_grants.pinned_version
                else excluded.pinned_version end`,
      )
      await raiseSkillRevision(database, tenantId)
      const written = (await list(skillId)).agents.find((grant) => grant.agentId === agentId)
      if (written) return written
      throw new TypeError('A grant that was just written is not there.')
    },
    async putUser({ skillId, userId, canManage, grantedBy }) {
      await execute(
        database,
        sql`insert into loam.skill_user_grants (tenant_id, skill_id, user_id, can_manage, granted_by)
          values (${tenantId}::uuid, ${skillId}::uuid, ${userId}::text, ${canManage}::boolean, ${grantedBy}::text)
          on conflict (tenant_id, skill_id, user_id) do update set can_manage = excluded.can_manage`,
      )
      await raiseSkillRevision(database, tenantId)
      const written = (await list(skillId)).users.find((grant) => grant.userId === userId)
      if (written) return written
      throw new TypeError('A grant that was just written is not there.')
    },
    async deleteAgent(skillId, agentId) {
      if (!isUuid(skillId) || !isUuid(agentId)) return false
      const rows = await execute(
        database,
        sql`delete from loam.skill_agent_grants
          where tenant_id = ${tenantId} and skill_id = ${skillId} and agent_id = ${agentId} returning agent_id`,
      )
      await raiseSkillRevision(database, tenantId)
      return rows.length > 0
    },
    async deleteUser(skillId, userId) {
      if (!isUuid(skillId)) return false
      const rows = await execute(
        database,
        sql`delete from loam.skill_user_grants
          where tenant_id = ${tenantId} and skill_id = ${skillId} and user_id = ${userId} returning user_id`,
      )
      await raiseSkillRevision(database, tenantId)
      return rows.length > 0
    },
  }
}

function toAgentGrant({
  tenantId: _tenantId,
  pinnedVersion,
  ...grant
}: typeof skillAgentGrants.$inferSelect) {
  return { ...grant, pinnedVersion: pinnedVersion ?? undefined }
}

function toUserGrant({ tenantId: _tenantId, ...grant }: typeof skillUserGrants.$inferSelect) {
  return grant
}
