import type { InvalidInputError } from '@loam/core'
import { entryFault, limitFault, quotePath } from './archive-fault.js'
import type { ArchiveLimits } from './archive-limits.js'
import { checkCompanionPath, foldPath } from './companion-path.js'
import { folderName } from './skill-folders.js'

/** The path within the skill's folder, once it may be there. */
export function checkPath(whole: string, path: string, { maxDepth }: ArchiveLimits): string {
  const depth = path.split('/').length
  if (depth > maxDepth) {
    throw limitFault(
      'maxDepth',
      maxDepth,
      `${quotePath(whole)} lies ${depth} levels deep in its skill, and ${maxDepth} is the most (maxDepth).`,
    )
  }
  return checkCompanionPath(path, { allowSkillFile: true, maxDepth })
}

/** No two entries may be one file, also where case does not count, and none may be a file and a folder. */
export function checkClashes(folder: string, paths: readonly string[]): void {
  const taken = new Map<string, string>()
  for (const path of paths) {
    const other = taken.get(foldPath(path))
    if (other !== undefined) throw clash(folder + path, folder + other)
    taken.set(foldPath(path), path)
  }
  for (const path of paths) {
    const segments = foldPath(path).split('/')
    for (let length = 1; length < segments.length; length += 1) {
      const file = taken.get(segments.slice(0, length).join('/'))
      if (file !== undefined) throw clash(folder + path, folder + file)
    }
  }
}

function clash(path: string, other: string): InvalidInputError {
  const message = `${quotePath(path)} and ${quotePath(other)} cannot both be there: they are one name, letter case and Unicode form aside. Rename one of them.`
  return entryFault(path, message)
}

/** No two folders may be skills of one name. */
export function checkSlugs(folders: readonly string[]): void {
  const taken = new Map<string, string>()
  for (const folder of folders) {
    const slug = foldPath(folderName(folder) ?? '')
    const other = taken.get(slug)
    if (other !== undefined) {
      const message = `The folders ${quotePath(other)} and ${quotePath(folder)} are two skills of one name. Rename one of them.`
      throw entryFault(folder, message)
    }
    taken.set(slug, folder)
  }
}

/** A SKILL.md says something, and not too much. */
export function checkSkillFile(path: string, content: Uint8Array, most: number): void {
  if (content.byteLength > most) {
    const message = `${quotePath(path)} has ${content.byteLength.toLocaleString('en')} bytes, and ${most.toLocaleString('en')} is the most (maxSkillFileBytes). Put the rest into companion files.`
    throw entryFault(path, message)
  }
  if (new TextDecoder().decode(content).trim() === '') {
    const message = `${quotePath(path)} is empty. Write what the skill is for and how it is done.`
    throw entryFault(path, message)
  }
}
