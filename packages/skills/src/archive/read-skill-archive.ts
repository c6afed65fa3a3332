import { compareText } from '@loam/text'
import { InvalidInputError } from '@loam/core'
import { quotePath } from './archive-fault.js'
import { completeLimits, type ArchiveLimits } from './archive-limits.js'
import { checkClashes, checkPath, checkSkillFile, checkSlugs } from './check-skill-archive.js'
import { foldPath } from './companion-path.js'
import { listEntries, type ArchiveEntry } from './list-entries.js'
import { createEntryReader, type EntryReader } from './read-entry.js'
import type { SkillFile } from './skill-file.js'
import { findSkillFolders, folderName } from './skill-folders.js'

/** A skill as it lies in an archive. */
export interface ArchivedSkill {
  /** The name of its folder, as it is spelt; undefined when SKILL.md lies at the root of the archive. */
  readonly slug: string | undefined
  /** SKILL.md and its companions, sorted by path. */
  readonly files: readonly SkillFile[]
}

/** What an archive holds. */
export interface SkillArchive {
  /** At least one, sorted by folder. */
  readonly skills: readonly ArchivedSkill[]
  /**
   * Paths outside of every skill and hidden ones, such as .gitignore, which were not read; without what the file managers of
   * macOS and Windows leave.
   */
  readonly ignored: readonly string[]
}

/**
 * Reads the skills in a ZIP: each folder that directly holds a SKILL.md, at the root or deeper (spec 03, 4.10). A SKILL.md
 * inside of a skill is a companion file. Nothing is written anywhere.
 *
 * @throws InvalidInputError that names the entry: no ZIP, a damaged, encrypted, linked or doubled file, an unsafe path, no
 * skill, or a SKILL.md that is empty or too long.
 * @throws LimitError that names the limit.
 */
export async function readSkillArchive(
  bytes: Uint8Array,
  limits: Partial<ArchiveLimits> = {},
): Promise<SkillArchive> {
  const all = completeLimits(limits)
  const { zip, entries } = await listEntries(bytes, all)
  try {
    const folders = findSkillFolders(entries.map(({ path }) => path))
    if (folders.length === 0) throw noSkill(entries)
    checkSlugs(folders)
    const read = createEntryReader(zip, bytes, all)
    const skills: ArchivedSkill[] = []
    for (const folder of folders) {
      const own = entries.filter(({ path }) => belongs(path, folder))
      skills.push({ slug: folderName(folder), files: await readFiles(folder, own, read, all) })
    }
    const ignored = entries
      .map(({ path }) => path)
      .filter((path) => !folders.some((folder) => belongs(path, folder)))
    return { skills, ignored: ignored.toSorted(compareText) }
  } finally {
    zip.close()
  }
}

/** Whether a file is part of the skill in that folder. What is hidden is the business of tools, and none of the skill's. */
function belongs(path: string, folder: string): boolean {
  return path.startsWith(folder) && !`/${path.slice(folder.length)}`.includes('/.')
}

async function readFiles(
  folder: string,
  entries: readonly ArchiveEntry[],
  read: EntryReader,
  limits: ArchiveLimits,
): Promise<SkillFile[]> {
  const paths = entries.map(({ path }) => checkPath(path, path.slice(folder.length), limits))
  checkClashes(folder, paths)
  const files: SkillFile[] = []
  for (const [place, entry] of entries.entries()) {
    const path = paths[place] ?? ''
    const content = await read(entry)
    if (path === 'SKILL.md') checkSkillFile(entry.path, content, limits.maxSkillFileBytes)
    files.push({ path, content })
  }
  return files.toSorted((a, b) => compareText(a.path, b.path))
}

function noSkill(entries: readonly ArchiveEntry[]): InvalidInputError {
  const near = entries.find(({ path }) => foldPath(path.split('/').at(-1) ?? '') === 'skill.md')
  const hint = near ? ` There is ${quotePath(near.path)}; the name has to be in capitals.` : ''
  const message = `No skill was found: a file SKILL.md was looked for at the root of the archive and in all its folders, among ${entries.length} files.${hint}`
  return new InvalidInputError({ message })
}
