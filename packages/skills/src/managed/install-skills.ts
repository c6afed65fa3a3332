import { ConflictError, InvalidInputError, type GenerateId } from '@loam/core'
import type { SkillVisibility, Storage, StoredSkill, Stores } from '@loam/storage'
import type { ArchivedSkill } from '../archive/read-skill-archive.js'
import { scanSkillFiles, type ScanFinding } from '../archive/scan-scripts.js'
import { hashSkillFiles } from '../archive/tree-hash.js'
import { parseSkill } from '../parse-skill.js'
import type { SkillWarning } from '../skill.js'
import { hashedSlug, isSlug, slugify } from '../slug.js'
import { accessOf, lockManaged, type SkillPrincipal } from './principal.js'

/** Skills to be stored, and for whom. */
export interface InstallRequest {
  readonly principal: SkillPrincipal
  /** Such as `readSkillArchive` gives. */
  readonly skills: readonly ArchivedSkill[]
  /** Slug to use instead of the folder's name; for a single skill. */
  readonly slug?: string | undefined
  /** Of skills that are new. Default `internal` (spec 03, 4.10). */
  readonly visibility?: SkillVisibility | undefined
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
  /** Slugs that come with the application, and cannot be taken. */
  readonly builtinSlugs: ReadonlySet<string>
}

/**
 * Stores skills as new ones or as new versions, all of them or none. What is served stays as it is until all is there.
 *
 * @throws ConflictError for the slug of a built-in skill, or of one that the principal does not see.
 * @throws ForbiddenError for a skill that they may not manage.
 */
export async function installSkills(
  options: InstallOptions,
  request: InstallRequest,
): Promise<readonly InstalledSkill[]> {
  const { principal, skills } = request
  const prepared = skills.map((skill) => prepare(skill, request.slug, options.builtinSlugs))
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
  builtinSlugs: ReadonlySet<string>,
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
      message: `"${slug}" cannot be a skill's slug. Use 2 to 64 lower-case letters, digits and hyphens, and none of the words list-skills, help, use, activate.`,
      issues: [{ path: 'slug', message: 'is not a slug' }],
    })
  }
  if (builtinSlugs.has(slug)) {
    throw new ConflictError({
      message: `"${slug}" is a built-in skill. Choose another name for the folder.`,
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
  { principal, visibility = 'internal', ownerAgentId }: InstallRequest,
  { generateId }: InstallOptions,
): Promise<InstalledSkill> {
  const holder = await stores.skills.find(wanted)
  // Names that sound alike in another script have one slug; the second is not a version of the first.
  const isOther = otherSlug !== undefined && holder !== undefined && holder.name !== parsed.name
  const slug = isOther ? otherSlug : wanted
  const before = isOther ? await stores.skills.find(slug) : holder
  if (before !== undefined) await lockManaged(stores, principal, slug)
  const { warnings } = parsed
  const stored = await stores.skills.putVersion(
    { id: generateId(), slug, visibility, ownerUserId: principal.userId ?? '', ownerAgentId },
    {
      name: parsed.name,
      description: parsed.description,
      frontmatter: parsed.frontmatter,
      warnings: warnings.map((warning) => ({ ...warning })),
      contentHash,
      createdBy: principal.actor,
      files,
    },
  )
  const skill = stored ?? before ?? (await lockManaged(stores, principal, slug))
  // Someone else made it in the meantime.
  if (before === undefined && skill.version > 1) await lockManaged(stores, principal, slug)
  if (stored === undefined) return { skill, outcome: 'unchanged', warnings, findings }
  await stores.skillAudit.record({
    id: generateId(),
    slug,
    skillId: skill.id,
    action: 'version.created',
    actor: principal.actor,
    details: { version: skill.version, contentHash, files: files.length },
  })
  return { skill, outcome: skill.version === 1 ? 'created' : 'updated', warnings, findings }
}

function checkDistinct(slugs: readonly string[]): void {
  const doubled = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (doubled === undefined) return
  throw new InvalidInputError({
    message: `Two skills of the archive would both be called "${doubled}". Rename one of their folders.`,
  })
}
