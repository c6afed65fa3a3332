import { ConflictError, InvalidInputError, type GenerateId } from '@loam/core'
import {
  skillSlugTaken,
  type SkillVisibility,
  type Storage,
  type StoredSkill,
  type Stores,
} from '@loam/storage'
import type { ArchivedSkill } from '../archive/read-skill-archive.js'
import { scanSkillFiles, type ScanFinding } from '../archive/scan-scripts.js'
import { hashSkillFiles } from '../archive/tree-hash.js'
import { parseSkill } from '../parse-skill.js'
import type { SkillWarning } from '../skill.js'
import { hashedSlug, isSlug, slugify } from '../slug.js'
import { giveToAgent } from './grants.js'
import { accessOf, hasRole, requireOperator, type SkillPrincipal } from './principal.js'
import { recordAction, type RecordedWork } from './record-action.js'

/** Skills to be stored, and for whom. */
export interface InstallRequest {
  readonly principal: SkillPrincipal
  /** Such as `readSkillArchive` gives. */
  readonly skills: readonly ArchivedSkill[]
  /** Slug to use instead of the folder's name; for a single skill. */
  readonly slug?: string | undefined
  /**
   * Of skills that are new. Default `internal` (spec 03, 4.10), and `private` for a single user, who cannot choose another.
   */
  readonly visibility?: SkillVisibility | undefined
  /** Agents that may use and manage the skills. Default: no more than before. */
  readonly managerAgentIds?: readonly string[] | undefined
  /** The agent that made them. */
  readonly ownerAgentId?: string | undefined
}

/** What became of one skill. */
export interface InstalledSkill {
  readonly skill: StoredSkill
  /** `unchanged`: the files are those that are served already, so no version was made. */
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly warnings: readonly SkillWarning[]
  /** Lines that someone should look at; they are advice, and stop nothing. */
  readonly findings: readonly ScanFinding[]
}

/** What installing works with. */
export interface InstallOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly generateId: GenerateId
  /** Slugs of folders that the principal cannot take. */
  readonly heldSlugs: ReadonlySet<string>
}

/**
 * Stores skills as new ones or as new versions, all of them or none. What is served stays as it is until all is there.
 *
 * @throws ConflictError for a slug that a folder holds, a skill that the principal may not manage, and a private one of another.
 * @throws ForbiddenError for what a single user cannot do: give grants, or choose who else may use a skill.
 */
export async function installSkills(
  options: InstallOptions,
  request: InstallRequest,
): Promise<readonly InstalledSkill[]> {
  const { principal, skills, visibility, managerAgentIds = [] } = request
  if (managerAgentIds.length > 0) requireOperator(principal, 'give grants')
  if (visibility !== undefined && visibility !== 'private') {
    requireOperator(principal, `make a skill ${visibility}`)
  }
  const prepared = skills.map((skill) => prepare(skill, request.slug, options.heldSlugs))
  checkDistinct(prepared.map(({ slug }) => slug))
  if (request.slug !== undefined && skills.length > 1) {
    throw new InvalidInputError({
      message: `A slug was given for ${skills.length} skills. Leave it out, or send them one by one.`,
      issues: [{ path: 'slug', message: 'is for a single skill' }],
    })
  }
  return await options.storage.transaction(accessOf(principal), async (stores) => {
    const installed: InstalledSkill[] = []
    for (const skill of prepared) installed.push(await install(stores, skill, request, options))
    return installed
  })
}

type PreparedSkill = ReturnType<typeof prepare>

function prepare(
  { slug: folder, files }: ArchivedSkill,
  given: string | undefined,
  heldSlugs: ReadonlySet<string>,
) {
  const source = files.find(({ path }) => path === 'SKILL.md')
  if (source === undefined) {
    throw new InvalidInputError({ message: 'A skill has no SKILL.md. Add one to its folder.' })
  }
  const { name } = parseSkill(source.content, { slug: folder ?? '' })
  const own = given ?? (folder !== undefined && isSlug(folder) ? folder : undefined)
  const slug = own ?? slugify(folder ?? name)
  if (!isSlug(slug)) {
    throw new InvalidInputError({
      message: `"${slug}" cannot be a skill's slug. Use 2 to 64 lower-case letters, digits and hyphens, and neither a UUID nor one of the words list-skills, help, use, activate.`,
      issues: [{ path: 'slug', message: 'is not a slug' }],
    })
  }
  if (heldSlugs.has(slug)) {
    throw new ConflictError({
      message: `"${slug}" is a skill that everybody has from a folder of this installation. Choose another name for the folder.`,
      details: { slug },
    })
  }
  return {
    slug,
    /** Where the slug was made from a name: the slug to take if another name has made the same one. */
    otherSlug: own === undefined ? hashedSlug(folder ?? name) : undefined,
    files,
    parsed: parseSkill(source.content, { slug }),
    contentHash: hashSkillFiles(files),
    findings: scanSkillFiles(files),
  }
}

async function install(
  stores: Stores,
  { slug: wanted, otherSlug, files, parsed, contentHash, findings }: PreparedSkill,
  { principal, visibility: given, ownerAgentId, managerAgentIds = [] }: InstallRequest,
  { generateId }: InstallOptions,
): Promise<InstalledSkill> {
  const work: RecordedWork = { stores, principal, generateId }
  const holder = await stores.skills.find(wanted)
  // Names that sound alike in another script have one slug; the second is not a version of the first.
  const isOther = otherSlug !== undefined && holder !== undefined && holder.name !== parsed.name
  const slug = isOther ? otherSlug : wanted
  const before = await holdOwn(stores, principal, slug)
  const ownerUserId = principal.userId ?? ''
  const visibility = given ?? (principal.userId === undefined ? 'internal' : 'private')
  const stored = await stores.skills.putVersion(
    { id: generateId(), slug, visibility, ownerUserId, ownerAgentId },
    {
      name: parsed.name,
      description: parsed.description,
      frontmatter: parsed.frontmatter,
      warnings: parsed.warnings.map((warning) => ({ ...warning })),
      contentHash,
      createdBy: principal.actor,
      files,
    },
  )
  // Where there was none, someone else may have made it in the meantime.
  const skill = stored ?? before ?? (await holdOwn(stores, principal, slug))
  if (skill === undefined) throw skillSlugTaken(slug)
  if (before === undefined && skill.version > 1) await holdOwn(stores, principal, slug)
  if (stored !== undefined) {
    const details = { version: skill.version, contentHash, files: files.length }
    await recordAction(work, skill, 'version.created', details)
  }
  for (const agentId of managerAgentIds) {
    const current = (await stores.skills.find(skill.id)) ?? skill
    await giveToAgent(work, current, { agentId, pinnedVersion: undefined, canManage: true })
  }
  const isNew = stored !== undefined && skill.version === 1
  const kept = !isNew && given !== undefined && given !== skill.visibility
  return {
    skill: managerAgentIds.length === 0 ? skill : ((await stores.skills.find(skill.id)) ?? skill),
    outcome: isNew ? 'created' : stored === undefined ? 'unchanged' : 'updated',
    warnings: kept ? [...parsed.warnings, visibilityKept(skill, given)] : parsed.warnings,
    findings,
  }
}

/** Holds the skill of a slug, if there is one. @throws ConflictError when the principal may not make versions of it. */
async function holdOwn(
  stores: Stores,
  principal: SkillPrincipal,
  slug: string,
): Promise<StoredSkill | undefined> {
  const skill = await stores.skills.lock(slug)
  if (skill === undefined) return undefined
  if (!(await hasRole(stores, principal, skill, 'manager'))) throw skillSlugTaken(slug)
  const { visibility, ownerUserId } = skill
  if (principal.userId === undefined && visibility === 'private' && ownerUserId !== '') {
    // What the operator stores for all would be one user's alone, who may have taken the slug for that.
    throw new ConflictError({
      message: `"${slug}" is a private skill of the user ${JSON.stringify(ownerUserId)}. Choose another name for the folder, make that skill internal or public first, or delete it.`,
      details: { slug, ownerUserId },
    })
  }
  return skill
}

function visibilityKept({ slug, visibility }: StoredSkill, given: SkillVisibility): SkillWarning {
  return {
    code: 'visibility_kept',
    message: `The skill "${slug}" stays ${visibility}, since the visibility of an upload is for new skills. Change it to ${given} by PATCH /v1/skills/${slug}.`,
  }
}

function checkDistinct(slugs: readonly string[]): void {
  const doubled = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (doubled === undefined) return
  throw new InvalidInputError({
    message: `Two skills of the archive would both be called "${doubled}". Rename one of their folders.`,
  })
}
