import { NotFoundError } from '@loam/core'
import type { Storage } from '@loam/storage'
import { loadFolderSkill, withBaseDir, type LoadedSkill } from '../catalog/load-skill.js'
import { parseSkill } from '../parse-skill.js'
import type { SkillCopies } from './skill-folder-copy.js'
import type { CandidateSkill } from './skill-set.js'

/** What reading works with. */
export interface ReadSkillOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly copies: SkillCopies | undefined
}

/** Where a stored skill's files are read when there are no copies on disk: by the API, under this address. */
export function skillAddress(slug: string): string {
  return `skill://${encodeURIComponent(slug)}`
}

/**
 * Reads the text that a model follows, of the version that the caller has. `{baseDir}` becomes the folder on disk, or the
 * skill's address.
 *
 * @throws NotFoundError when it has gone since it was looked up.
 */
export async function readSkill(
  { storage, copies }: ReadSkillOptions,
  access: { readonly tenantId: string; readonly userId: string },
  skill: CandidateSkill,
): Promise<LoadedSkill> {
  const { slug, folder, stored } = skill
  const loaded = folder === undefined ? undefined : await loadFolderSkill(folder)
  if (loaded !== undefined) return loaded
  if (stored !== undefined) {
    const [file] = await storage.transaction(
      access,
      ({ skills }) => skills.readFiles(stored.id, stored.version, ['SKILL.md']),
      { readOnly: true },
    )
    if (file !== undefined) {
      await copySkill({ storage, copies }, access, skill)
      const baseDir = copies?.folderOf(access.tenantId, stored) ?? skillAddress(slug)
      return withBaseDir(parseSkill(file.content, { slug }), baseDir)
    }
  }
  throw new NotFoundError({ message: `The skill "${slug}" is no longer there.` })
}

/** Sees to it that a model which reads the skill's location finds a file there. */
export async function copySkill(
  { storage, copies }: ReadSkillOptions,
  access: { readonly tenantId: string; readonly userId: string },
  { stored }: CandidateSkill,
): Promise<void> {
  if (copies === undefined || stored === undefined) return
  await copies.ensure(access.tenantId, stored, () =>
    storage.transaction(access, ({ skills }) => skills.readFiles(stored.id, stored.version), {
      readOnly: true,
    }),
  )
}
