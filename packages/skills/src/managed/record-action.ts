import type { GenerateId } from '@loam/core'
import type { SkillAction, Stores } from '@loam/storage'
import type { SkillPrincipal } from './principal.js'

/** A unit of work that is put on record. */
export interface RecordedWork {
  readonly stores: Stores
  readonly principal: SkillPrincipal
  readonly generateId: GenerateId
}

/** Records that something was done with a skill, in the same unit of work. */
export async function recordAction(
  { stores, principal, generateId }: RecordedWork,
  { slug, id }: { readonly slug: string; readonly id: string | undefined },
  action: SkillAction,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { actor } = principal
  await stores.skillAudit.record({ id: generateId(), slug, skillId: id, action, actor, details })
}
