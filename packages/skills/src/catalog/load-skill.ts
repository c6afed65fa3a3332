import { realpath } from 'node:fs/promises'
import { parseSkill } from '../parse-skill.js'
import type { FolderSkill, ParsedSkill } from '../skill.js'
import { readInside } from '../tiers/read-inside.js'

/** A skill with the text that a model follows. */
export interface LoadedSkill extends ParsedSkill {
  /** Below the frontmatter, with the folder of the skill in place of each `{baseDir}`. */
  readonly text: string
}

/**
 * Reads a skill of a folder anew; undefined when it is no longer there.
 *
 * @param baseDir what `{baseDir}` stands for. Default: the skill's folder.
 */
export async function loadFolderSkill(
  skill: FolderSkill,
  baseDir: string = skill.baseDir,
): Promise<LoadedSkill | undefined> {
  const realRoot = await realpath(skill.baseDir).catch(() => undefined)
  // A folder that has become a link since leads elsewhere.
  if (realRoot !== skill.baseDir) return undefined
  const outcome = await readInside(skill.location, skill.root, true)
  if (outcome.state !== 'read') return undefined
  return withBaseDir(parseSkill(outcome.content, { slug: skill.slug }), baseDir)
}

/** Puts the folder of a skill where its text says `{baseDir}`. */
export function withBaseDir(skill: ParsedSkill, baseDir: string): LoadedSkill {
  return { ...skill, text: skill.body.replaceAll('{baseDir}', () => baseDir) }
}
