import type { SkillWarning } from '../skill.js'
import { parseYaml } from './parse-yaml.js'

/** A file, cut where its frontmatter ends. */
export interface SplitFile {
  /** Without the two lines of dashes; undefined when the file has none. */
  readonly frontmatter: string | undefined
  /** Line of the file on which the frontmatter begins, from 1. */
  readonly firstLine: number
  readonly body: string
  readonly warnings: readonly SkillWarning[]
}

/**
 * Cuts a text of `\n` lines at its frontmatter: from a line of three dashes at the very start to the next such line. Blanks
 * after the dashes and empty lines before them are overlooked. A block that is never closed ends before the first line that
 * cannot belong to it, also where a rule of three dashes follows further down in the text.
 */
export function splitFrontmatter(text: string): SplitFile {
  const opening = OPENING.exec(text)
  if (opening === null) {
    const warning: SkillWarning = {
      code: 'frontmatter_missing',
      message:
        'The file does not begin with a line of three dashes, so it has no frontmatter. Begin it with ---, name, description, ---.',
    }
    return { frontmatter: undefined, firstLine: 1, body: text, warnings: [warning] }
  }
  const start = opening[0].length
  const firstLine = opening[0].split('\n').length
  CLOSING.lastIndex = start
  const closing = CLOSING.exec(text)
  if (closing !== null && !reachesIntoText(text.slice(start, closing.index))) {
    return {
      frontmatter: text.slice(start, closing.index),
      firstLine,
      body: text.slice(closing.index + closing[0].length),
      warnings: [],
    }
  }
  const end = start + lengthOfFields(text.slice(start))
  const warning: SkillWarning = {
    code: 'frontmatter_unclosed',
    message: 'The frontmatter has no closing line of three dashes. Add one below its last field.',
    line: firstLine,
  }
  return {
    frontmatter: text.slice(start, end),
    firstLine,
    body: text.slice(end).replace(/^\n+/, ''),
    warnings: [warning],
  }
}

/** Whether what stands between two lines of dashes is fields, an empty line and text, so that the second line is a rule. */
function reachesIntoText(block: string): boolean {
  const length = lengthOfFields(block)
  const known = new Set(knownFields(block.slice(0, length).split('\n')))
  const [gap = '', ...below] = block.slice(length).split('\n')
  const isTextBelow = below.some((line) => line !== '' && !FIELD_LINE.test(line))
  return (
    gap.trim() === '' &&
    isTextBelow &&
    // Of those that stand above already an example in the text has more.
    knownFields(below).every((field) => known.has(field)) &&
    !isMapOfFields(block)
  )
}

/** Whether a text is YAML, and not only since a sentence with a colon is a field to it. */
function isMapOfFields(text: string): boolean {
  const { fields, problem } = parseYaml(text)
  return problem === undefined && !Object.keys(fields).some((key) => /\s/.test(key))
}

/** The fields of the format that lines have. */
function knownFields(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => KNOWN_FIELD.exec(line)?.[1] ?? [])
}

/**
 * How far a text of fields reaches: to the first line that is neither a field, nor indented, nor an item, nor a comment. Empty
 * lines and what may be a heading belong to it when a field that the format knows follows.
 */
function lengthOfFields(text: string): number {
  let length = 0
  let end = 0
  for (const line of text.split('\n')) {
    const isGap = line.trim() === '' || HEADING.test(line)
    if (!isGap && (!FIELD_LINE.test(line) || (end < length && !KNOWN_FIELD.test(line)))) break
    length += line.length + 1
    if (!isGap) end = length
  }
  return Math.min(end, text.length)
}

const OPENING = /^(?:[ \t]*\n)*---[ \t]*(?:\n|$)/
// Also directly behind the opening line, for a block without fields.
const CLOSING = /^---[ \t]*(?:\n|$)/gm
const FIELD_LINE =
  /^(?:["']?[\p{L}_][\p{L}\p{N}_.-]*["']?[ \t]*:(?:[ \t]|$)|[ \t]+\S|- |#|[}\]]+,?[ \t]*$)/u
const KNOWN_FIELD =
  /^["']?(name|description|license|compatibility|metadata|allowed-tools)["']?[ \t]*:/
const HEADING = /^#{1,6} /
