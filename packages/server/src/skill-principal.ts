import type { SkillPrincipal } from '@loam/skills'
import type { ApiKey } from '@loam/storage'

/** Who a key is where skills are managed. */
export function principalOf({ id, tenantId, userId }: ApiKey): SkillPrincipal {
  return { tenantId, userId, actor: userId === undefined ? `key:${id}` : `user:${userId}` }
}
