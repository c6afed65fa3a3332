import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { InvalidInputError } from '@loam/core'
import { parseSkill, readSkillFolder, type SkillWarning } from '@loam/skills'
import { counted, oneLine, type Output } from '../output.js'

/** What was found about one skill. */
interface Checked {
  readonly slug: string
  readonly loaded: boolean
  readonly description?: string
  readonly warnings: readonly SkillWarning[]
}

/**
 * Looks at the skill of a folder, or at the skills of a folder of folders, without a server. Returns false when one cannot be
 * loaded, or with `strict` when there is anything to say.
 */
export async function validateSkills(
  folder: string,
  { strict = false }: { readonly strict?: boolean | undefined },
  output: Output,
): Promise<boolean> {
  const checked = await check(resolve(folder))
  const warnings = checked.reduce((sum, skill) => sum + skill.warnings.length, 0)
  const failed = checked.filter(({ loaded }) => !loaded).length
  const isValid = failed === 0 && (!strict || warnings === 0)
  output.result({ valid: isValid, skills: checked })
  for (const { slug, loaded, warnings: own } of checked) {
    const { paint } = output
    const mark = !loaded
      ? paint.red('broken ')
      : own.length > 0
        ? paint.yellow('warning')
        : paint.green('ok     ')
    output.say(`${mark}  ${oneLine(slug)}`)
    for (const { code, message, line } of own) {
      output.say(
        `         ${code}${line === undefined ? '' : ` (line ${line})`}: ${oneLine(message, 300)}`,
      )
    }
  }
  output.say(
    `${counted(checked.length, 'skill')}, ${counted(warnings, 'warning')}, ${failed} that cannot be loaded`,
  )
  return isValid
}

async function check(folder: string): Promise<readonly Checked[]> {
  const file = join(folder, 'SKILL.md')
  if (await exists(file)) {
    const slug = basename(folder)
    const { description, warnings } = parseSkill(await readFile(file), { slug })
    return [{ slug, loaded: true, description, warnings }]
  }
  const { skills, warnings } = await readSkillFolder({ source: 'workspace', root: folder })
  const broken = warnings.map(({ slug, code, message, line }) => ({
    slug,
    loaded: false,
    warnings: [{ code, message, line }],
  }))
  const loaded = skills.map(({ slug, description, warnings: own }) => ({
    slug,
    loaded: true,
    description,
    warnings: own,
  }))
  if (loaded.length + broken.length > 0) return [...broken, ...loaded]
  throw new InvalidInputError({
    message: `There is no skill in ${oneLine(folder)}. A skill is a folder with a SKILL.md in it.`,
  })
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
