import { toStorableJson } from '@loam/core'
import type { ParsedSkill, SkillWarning } from '../skill.js'
import { readFieldLines, textOfField, type FieldLines } from './line-parser.js'
import { parseYaml } from './parse-yaml.js'

/** What a frontmatter says. */
export interface Frontmatter {
  readonly fields: Readonly<Record<string, unknown>>
  readonly format: ParsedSkill['format']
  readonly warnings: readonly SkillWarning[]
}

/**
 * Reads a frontmatter as JSON, else as YAML, else line by line. The last of these takes anything, so that no skill is lost
 * over a colon.
 *
 * @param firstLine line of the file on which the frontmatter begins, for the warnings.
 */
export function parseFrontmatter(frontmatter: string, firstLine: number): Frontmatter {
  const json = parseJson(frontmatter)
  if (json !== undefined) return { fields: json, format: 'json', warnings: [] }
  if (frontmatter.trim() === '') return { fields: {}, format: 'yaml', warnings: [] }
  const yaml = parseYaml(frontmatter)
  if (yaml.problem === undefined) {
    const { fields, warnings } = keepTexts(yaml.fields, frontmatter, firstLine)
    return { fields, format: 'yaml', warnings }
  }
  const warning: SkillWarning = {
    code: yaml.problem.isLimit ? 'frontmatter_limit' : 'frontmatter_invalid',
    message: `The frontmatter is no YAML and was read line by line: ${yaml.problem.message} Put text with a colon or a special first character in quotes.`,
    line: firstLine + yaml.problem.line,
  }
  const fields = Object.fromEntries(
    Array.from(readFieldLines(frontmatter).values(), (field) => [field.key, valueOfField(field)]),
  )
  return { fields, format: 'lines', warnings: [warning] }
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{') || text.length > MAX_JSON_CHARACTERS) return undefined
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const { name } = value as { readonly name?: unknown }
    if (typeof name !== 'string' || name.trim() === '') return undefined
    return toStorableJson(value as Record<string, unknown>)
  } catch {
    return undefined
  }
}

/**
 * A name or description that YAML takes for a list, a map, a tag or an anchor was meant as text: `[beta] tool`, `{x}`,
 * `!important`. And what YAML takes for a comment within it is named, since the author may have meant it.
 */
function keepTexts(
  fields: Readonly<Record<string, unknown>>,
  frontmatter: string,
  firstLine: number,
): Pick<Frontmatter, 'fields' | 'warnings'> {
  const isPlain = typeof fields['name'] !== 'object' && typeof fields['description'] !== 'object'
  if (isPlain && !SUSPECT.test(frontmatter)) return { fields, warnings: [] }
  const lines = readFieldLines(frontmatter)
  const kept: Record<string, unknown> = { ...fields }
  const warnings: SkillWarning[] = []
  for (const key of ['name', 'description']) {
    const field = lines.get(key)
    if (field === undefined) continue
    const line = firstLine + field.line
    const value = fields[key]
    if (typeof value === 'object' && value !== null) {
      kept[key] = textOfField(field)
      const message = `${key} is a ${Array.isArray(value) ? 'list' : 'map'} in YAML, and was taken as the text that it was written as. Put it in quotes.`
      warnings.push({ code: 'field_invalid', message, line })
    } else if (TAG_OR_ANCHOR.test(field.value)) {
      kept[key] = textOfField(field)
      const message = `${key} begins with a character that YAML keeps for itself, and was taken as text. Put it in quotes.`
      warnings.push({ code: 'field_invalid', message, line })
    } else if (COMMENT_INSIDE.test(field.value)) {
      const message = `${key} ends before " #", which begins a comment in YAML. Put it in quotes if it goes on there.`
      warnings.push({ code: 'field_invalid', message, line })
    }
  }
  return { fields: kept, warnings }
}

/** A field of a frontmatter that is no YAML as a whole may be YAML by itself. */
function valueOfField(field: FieldLines): unknown {
  const below = field.block.some((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  if (field.key === 'name' || field.key === 'description' || !below || field.value !== '') {
    return textOfField(field)
  }
  const { fields, problem } = parseYaml([`${field.key}:`, ...field.block].join('\n'))
  return problem === undefined ? fields[field.key] : textOfField(field)
}

const MAX_JSON_CHARACTERS = 64 * 1024
// A name or description behind whose first line there may be more than YAML says.
const SUSPECT = /^["']?(?:name|description)["']?[ \t]*:.*(?:[ \t]#|[!&])/m
const TAG_OR_ANCHOR = /^[!&]\S/
const COMMENT_INSIDE = /^[^"'#|>].*?[ \t]#/
