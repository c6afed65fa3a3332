import { lstat, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidInputError } from '@loam/core'
import { compareText } from '@loam/text'
import { ARCHIVE_LIMITS } from '../archive/archive-limits.js'
import { checkCompanionPath, isIgnoredEntry } from '../archive/companion-path.js'
import type { SkillFile } from '../archive/skill-file.js'

/** The files of one skill's folder. */
export interface SkillFolderFiles {
  /** By path, with SKILL.md among them. */
  readonly files: readonly SkillFile[]
  /** Paths that were left out: hidden files, and links. */
  readonly ignored: readonly string[]
}

/**
 * Reads the files of a skill's folder, as they are to be stored. Hidden files and links are left out.
 *
 * @throws InvalidInputError for a folder that cannot be read, without a SKILL.md, or with more than can be stored.
 */
export async function readSkillFiles(folder: string): Promise<SkillFolderFiles> {
  const files: SkillFile[] = []
  const ignored: string[] = []
  let bytes = 0

  async function visit(path: string): Promise<void> {
    const names = await readdir(join(folder, path))
    for (const name of names.toSorted(compareText)) {
      const inner = path === '' ? name : `${path}/${name}`
      const status = await lstat(join(folder, inner))
      if (isIgnoredEntry(name)) continue
      if (name.startsWith('.') || !(status.isFile() || status.isDirectory())) ignored.push(inner)
      else if (status.isDirectory()) await visit(inner)
      else {
        const checked = checkCompanionPath(inner, { allowSkillFile: true })
        bytes += status.size
        checkSize(inner, status.size, bytes, files.length + 1)
        files.push({ path: checked, content: await readFile(join(folder, inner)) })
      }
    }
  }

  try {
    await visit('')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw error
    throw new InvalidInputError({
      message: `The folder ${folder} cannot be read (${code}). Give the folder of a skill, with a SKILL.md in it.`,
    })
  }
  if (!files.some(({ path }) => path === 'SKILL.md')) {
    throw new InvalidInputError({
      message: `There is no SKILL.md in ${folder}. Give the folder of a skill.`,
    })
  }
  return { files: files.toSorted((a, b) => compareText(a.path, b.path)), ignored }
}

function checkSize(path: string, size: number, total: number, count: number): void {
  const { maxFileBytes, maxTotalBytes, maxEntries } = ARCHIVE_LIMITS
  const fault =
    size > maxFileBytes
      ? `${path} has ${size} bytes, and a file may have ${maxFileBytes}.`
      : total > maxTotalBytes
        ? `The folder has more than ${maxTotalBytes} bytes.`
        : count > maxEntries
          ? `The folder has more than ${maxEntries} files.`
          : undefined
  if (fault !== undefined) throw new InvalidInputError({ message: fault })
}
