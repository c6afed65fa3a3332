import { checkFormat } from './check-format.js'
import { decodeSkillFile } from './frontmatter/decode-skill-file.js'
import { parseFrontmatter } from './frontmatter/parse-frontmatter.js'
import { flagField } from './frontmatter/read-fields.js'
import { splitFrontmatter } from './frontmatter/split-frontmatter.js'
import type { ParsedSkill, SkillWarning } from './skill.js'

/**
 * Reads a SKILL.md. It never fails: a skill that is written badly is loaded as well as can be, and what was wrong with it,
 * or would be rejected by the Agent Skills format, is named in the warnings.
 *
 * @param source the file, as text or as bytes.
 * @param options `slug`: the name of its folder, by which the skill is known.
 * @example
 * parseSkill('---\nname: pdf\ndescription: Use when: a PDF is to be read\n---\n# PDF', { slug: 'pdf' })
 * // { name: 'pdf', description: 'Use when: a PDF is to be read', format: 'lines', warnings: [...] }
 */
export function parseSkill(
  source: string | Uint8Array,
  { slug }: { readonly slug: string },
): ParsedSkill {
  const decoded = decodeSkillFile(source)
  const { frontmatter, firstLine, body, warnings } = splitFrontmatter(decoded.text)
  const read =
    frontmatter === undefined
      ? { fields: {}, format: 'none' as const, warnings: [] }
      : parseFrontmatter(frontmatter, firstLine)
  const found: SkillWarning[] = []
  const name = textOf(read.fields['name'], 'name', found)
  const description = textOf(read.fields['description'], 'description', found)
  return {
    slug,
    name: name === '' ? slug : name,
    description,
    body,
    inlineBody: flagField(read.fields, 'inline_body'),
    frontmatter: read.fields,
    format: read.format,
    warnings: [
      ...decoded.warnings,
      ...warnings,
      ...read.warnings,
      ...found,
      ...(frontmatter === undefined ? [] : checkFormat(slug, read.fields)),
    ],
  }
}

/** A field as one text without line breaks at its ends; whatever it is, something of it is kept. */
function textOf(value: unknown, field: string, warnings: SkillWarning[]): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  warnings.push({
    code: 'field_invalid',
    message: `${field} is no text, and was taken as JSON. Put it in quotes.`,
  })
  return JSON.stringify(value)
}
