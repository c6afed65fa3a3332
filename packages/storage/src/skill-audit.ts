import type { Page, PageRequest } from './page.js'

/** What can be done with a skill. */
export const SKILL_ACTIONS = [
  'version.created',
  'version.selected',
  'visibility.changed',
  'status.changed',
  'switch.changed',
  'grant.given',
  'grant.revoked',
  'deleted',
  'restored',
  'erased',
] as const
/** See `SKILL_ACTIONS`. */
export type SkillAction = (typeof SKILL_ACTIONS)[number]

/** That someone did something with a skill. */
export interface SkillAuditEntry {
  readonly id: string
  readonly slug: string
  /** Undefined for a skill of a folder. */
  readonly skillId: string | undefined
  readonly action: SkillAction
  readonly actor: string
  readonly details: Readonly<Record<string, unknown>>
  readonly at: Date
}

export interface SkillAuditStore {
  record(entry: Omit<SkillAuditEntry, 'at'>): Promise<void>
  /** Newest first, of all skills or of one. Needs access to every user. */
  list(page: PageRequest & { readonly slug?: string | undefined }): Promise<Page<SkillAuditEntry>>
}
