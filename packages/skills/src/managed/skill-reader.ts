import { dirname, join } from 'node:path'
import { InvalidInputError, NotFoundError } from '@loam/core'
import type { GrantedSkill, Storage } from '@loam/storage'
import { ARCHIVE_LIMITS } from '../archive/archive-limits.js'
import { checkCompanionPath } from '../archive/companion-path.js'
import { loadFolderSkill, withBaseDir, type LoadedSkill } from '../catalog/load-skill.js'
import { parseSkill } from '../parse-skill.js'
import type { FolderSkill } from '../skill.js'
import { readInside } from '../tiers/read-inside.js'
import type { SkillCopies } from './skill-copies.js'
import type { CandidateSkill } from './skill-set.js'

/** On whose behalf something is read. */
interface ReaderAccess {
  readonly tenantId: string
  readonly userId: string
}

/** Reads skills, wherever they are. */
export interface SkillReader {
  /** Where a model reads a folder's SKILL.md. */
  locationOfFolder(skill: FolderSkill): string
  /** Where a model reads a stored skill's SKILL.md. */
  locationOfStored(tenantId: string, skill: GrantedSkill): string
  /**
   * The text that a model follows, of the version that the caller has. `{baseDir}` becomes the folder, or the address.
   *
   * @throws NotFoundError when it has gone since it was looked up.
   */
  load(access: ReaderAccess, skill: CandidateSkill): Promise<LoadedSkill>
  /**
   * A file of the skill, by its path within it.
   *
   * @throws InvalidInputError for a path that leads elsewhere. @throws NotFoundError when there is none.
   */
  readFile(access: ReaderAccess, skill: CandidateSkill, path: string): Promise<Uint8Array>
  /** Sees to it that what reads the location finds a file there. */
  prepare(access: ReaderAccess, skill: CandidateSkill): Promise<void>
}

/** What reading works with. */
export interface SkillReaderOptions {
  readonly storage: Pick<Storage, 'transaction'>
  /** Copies of stored skills on this machine. Undefined: models are elsewhere, and every skill has an address. */
  readonly copies: SkillCopies | undefined
}

/** Composes the reading of skills. */
export function createSkillReader({ storage, copies }: SkillReaderOptions): SkillReader {
  const readStored = (access: ReaderAccess, stored: GrantedSkill, paths?: readonly string[]) =>
    storage.transaction(
      access,
      ({ skills }) => skills.readFiles(stored.id, stored.version, paths),
      { readOnly: true },
    )

  async function prepare(access: ReaderAccess, { stored }: CandidateSkill): Promise<void> {
    if (copies === undefined || stored === undefined) return
    await copies.ensure(access.tenantId, stored, () => readStored(access, stored))
  }

  return {
    locationOfFolder: ({ slug, location }) =>
      copies === undefined ? `${addressOf(slug)}/SKILL.md` : location,
    locationOfStored: (tenantId, skill) =>
      copies === undefined
        ? `${addressOf(skill.slug)}/SKILL.md`
        : join(copies.folderOf(tenantId, skill), 'SKILL.md'),
    async load(access, skill) {
      const { slug, folder, stored, location } = skill
      const baseDir = copies === undefined ? addressOf(slug) : dirname(location)
      const loaded = folder && (await loadFolderSkill(folder, baseDir))
      if (loaded !== undefined) return loaded
      const [file] = stored === undefined ? [] : await readStored(access, stored, ['SKILL.md'])
      if (file === undefined) {
        throw new NotFoundError({ message: `The skill "${slug}" is no longer there.` })
      }
      await prepare(access, skill)
      return withBaseDir(parseSkill(file.content, { slug }), baseDir)
    },
    async readFile(access, { slug, folder, stored }, path) {
      const checked = checkCompanionPath(path, { allowSkillFile: true })
      const found = stored && (await readStored(access, stored, [checked]))
      const content = folder === undefined ? found?.[0]?.content : await readOf(folder, checked)
      if (content !== undefined) return content
      throw new NotFoundError({
        message: `The skill "${slug}" has no file ${JSON.stringify(path)}.`,
      })
    },
    prepare,
  }
}

async function readOf(folder: FolderSkill, path: string): Promise<Uint8Array | undefined> {
  const most = ARCHIVE_LIMITS.maxFileBytes
  const outcome = await readInside(join(folder.baseDir, path), folder.root, false, most)
  if (outcome.state !== 'read') return undefined
  if (outcome.content.length <= most) return outcome.content
  throw new InvalidInputError({
    message: `The file ${JSON.stringify(path)} has more than ${most} bytes, which is the most that is read of one.`,
  })
}

/** Under which the API reads a skill's files. */
function addressOf(slug: string): string {
  return `skill://${encodeURIComponent(slug)}`
}
