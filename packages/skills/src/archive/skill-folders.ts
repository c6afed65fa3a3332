import { compareText } from '@loam/text'

/**
 * The folders of an archive that are skills, sorted: those that directly hold a SKILL.md and lie in no other skill. Each
 * ends in a slash, so that it is what the paths of its files begin with; the root of the archive is `''`.
 *
 * @example
 * findSkillFolders(['repo/a/SKILL.md', 'repo/a/old/SKILL.md', 'repo/README.md']) // ['repo/a/']
 */
export function findSkillFolders(paths: readonly string[]): string[] {
  const candidates = paths
    .filter((path) => path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`))
    .map((path) => path.slice(0, -SKILL_FILE.length))
    .toSorted((a, b) => a.length - b.length)
  const folders: string[] = []
  for (const candidate of candidates) {
    if (!folders.some((folder) => candidate.startsWith(folder))) folders.push(candidate)
  }
  return folders.toSorted(compareText)
}

/** The name of a skill's folder; undefined for the root of the archive. */
export function folderName(folder: string): string | undefined {
  return folder === '' ? undefined : folder.split('/').at(-2)
}

const SKILL_FILE = 'SKILL.md'
