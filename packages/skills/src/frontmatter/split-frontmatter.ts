import type { SkillWarning } from '../skill.js'

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
 * cannot belong to it.
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
  if (closing !== null) {
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

/** How far a text of fields reaches: to the first line that is neither a field, nor indented, nor an item, nor a comment. */
function lengthOfFields(text: string): number {
  let length = 0
  for (const line of text.split('\n')) {
    if (!FIELD_LINE.test(line) || HEADING.test(line)) break
    length += line.length + 1
  }
  return Math.min(length, text.length)
}

const OPENING = /^(?:[ \t]*\n)*---[ \t]*(?:\n|$)/
// Also directly behind the opening line, for a block without fields.
const CLOSING = /^---[ \t]*(?:\n|$)/gm
const FIELD_LINE = /^(?:[A-Za-z_][\w-]*[ \t]*:(?:[ \t]|$)|[ \t]+\S|- |#)/
const HEADING = /^#{1,6} /
