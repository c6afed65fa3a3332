import type { GrantedSkill } from '@loam/storage'
import type { SkillCandidate } from '../access/skill-access.js'
import { flagField } from '../frontmatter/read-fields.js'
import type { FolderSkill, Skill, SkillWarning } from '../skill.js'

/** A skill of a folder or of the store, with what decides whether a caller may use it. */
export type CandidateSkill = Skill &
  SkillCandidate & {
    /** Its row, where it is a stored one. */
    readonly stored: GrantedSkill | undefined
    /** Its folder, where it is one of a folder. */
    readonly folder: FolderSkill | undefined
  }

/** A folder's skill as a candidate. */
export function fromFolder(skill: FolderSkill, enabled: boolean, location: string): CandidateSkill {
  const { slug, name, description, source, inlineBody, frontmatter, warnings } = skill
  const shown = { slug, name, description, source, location, inlineBody, frontmatter, warnings }
  return { ...shown, managed: undefined, enabled, stored: undefined, folder: skill }
}

/** A stored skill as a candidate. */
export function fromStore(skill: GrantedSkill, enabled: boolean, location: string): CandidateSkill {
  const { slug, name, description, frontmatter, version } = skill
  const { visibility, status, ownerUserId, ownerAgentId, agentGrant, userGrant } = skill
  return {
    slug,
    name,
    description,
    frontmatter,
    version,
    source: 'managed',
    location,
    inlineBody: flagField(frontmatter, 'inline_body'),
    warnings: skill.warnings as unknown as readonly SkillWarning[],
    managed: { visibility, status, ownerUserId, ownerAgentId, agentGrant, userGrant },
    enabled,
    stored: skill,
    folder: undefined,
  }
}
