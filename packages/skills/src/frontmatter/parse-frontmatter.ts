import { toStorableJson } from '@loam/core'
import type { ParsedSkill, SkillWarning } from '../skill.js'
import { readFieldLines, textOfField, type FieldLines } from './line-parser.js'
import { MAX_YAML_CHARACTERS, MAX_YAML_DEPTH, parseYaml } from './parse-yaml.js'

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
  if (json !== undefined) return { ...withoutDeepFields(json, firstLine), format: 'json' }
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
    Array.from(readFieldLines(frontmatter).values(), (field) => [
      field.key,
      frontmatter.length > MAX_YAML_CHARACTERS ? textOfField(field) : valueOfField(field),
    ]),
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
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** JSON is parsed at any depth, and what later reads or writes a value calls itself for each level of it. */
function withoutDeepFields(
  json: Readonly<Record<string, unknown>>,
  firstLine: number,
): Pick<Frontmatter, 'fields' | 'warnings'> {
  const deep = new Set(Object.keys(json).filter((key) => isDeep(json[key])))
  return {
    fields: toStorableJson(
      Object.fromEntries(Object.entries(json).filter(([key]) => !deep.has(key))),
    ),
    warnings: Array.from(deep, (key) => ({
      code: 'frontmatter_limit',
      message: `The lists and maps of the field ${JSON.stringify(key.slice(0, 100))} lie more than ${MAX_YAML_DEPTH} deep, so it was left out.`,
      line: firstLine,
    })),
  }
}

/** Level by level, not by a function that calls itself. */
function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth < MAX_YAML_DEPTH; depth++) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
    if (level.length === 0) return false
  }
  return true
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
  const areTexts = ['name', 'description'].every(
    (key) => fields[key] === undefined || typeof fields[key] === 'string',
  )
  if (areTexts && !SUSPECT.test(frontmatter)) return { fields, warnings: [] }
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
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      kept[key] = withoutComment(field.value)
      const message = `${key} is a ${typeof value} in YAML, and was taken as it is written. Put it in quotes.`
      warnings.push({ code: 'format', message, line })
    } else if (TAG_OR_ANCHOR.test(field.value)) {
      kept[key] = textOfField(field)
      const message = `${key} begins with a character that YAML keeps for itself, and was taken as text. Put it in quotes.`
      warnings.push({ code: 'field_invalid', message, line })
    } else {
      const written = [field.value, ...field.block]
      const texts = written.map(withoutComment).filter((text) => text !== '')
      if (QUOTED_OR_BLOCK.test(texts[0] ?? '')) continue
      if (texts.some((text) => HASH.test(text))) {
        kept[key] = texts.join(' ')
        const message = `${key} has " #", which begins a comment in YAML, and was taken as text. Put it in quotes.`
        warnings.push({ code: 'field_invalid', message, line })
      } else if (COMMENT_INSIDE.test(field.value)) {
        const message = `${key} ends before " #", which begins a comment in YAML. Put it in quotes if it goes on there.`
        warnings.push({ code: 'field_invalid', message, line })
      }
    }
  }
  return { fields: kept, warnings }
}

/** Without a comment, which is a number sign with blanks around it; `#12` is text. */
function withoutComment(text: string): string {
  const trimmed = text.trim()
  const comment = trimmed.search(COMMENT)
  return comment === -1 ? trimmed : trimmed.slice(0, comment).trimEnd()
}

/** A field of a frontmatter that is no YAML as a whole may be YAML by itself. */
function valueOfField(field: FieldLines): unknown {
  const isText = field.key === 'name' || field.key === 'description'
  const text = textOfField({ ...field, value: withoutNote(field) })
  if (text === '' || !(isText ? QUOTED : STRUCTURED).test(field.value)) return text
  const block = field.block.map((line) =>
    line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '  ')),
  )
  const { fields, problem } = parseYaml([`value: ${field.value}`, ...block].join('\n'))
  const { value } = fields
  return problem !== undefined || (isText && typeof value !== 'string') ? text : value
}

/** Without a comment, but for a description, where what stands behind a number sign may be some of it. */
function withoutNote({ key, value }: FieldLines): string {
  return key === 'description' || QUOTED_OR_BLOCK.test(value) ? value : withoutComment(value)
}

const MAX_JSON_CHARACTERS = 64 * 1024
// There may be more in a name or a description than YAML says.
const SUSPECT = /[ \t]#|:[ \t]+[!&]/
const TAG_OR_ANCHOR = /^[!&]/
const QUOTED_OR_BLOCK = /^["'|>]/
const QUOTED = /^["']/
const STRUCTURED = /^(?:["'[{]|$)/
const HASH = /(?:^|[ \t])#[^ \t]/
const COMMENT = /(?:^|[ \t])#(?:[ \t]|$)/
const COMMENT_INSIDE = /[ \t]#/
