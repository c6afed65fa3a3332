import { toStorableJson } from '@loam/core'
import { isMap, isScalar, parseDocument } from 'yaml'

/** Most characters of a frontmatter that are given to the YAML parser. */
export const MAX_YAML_CHARACTERS = 64 * 1024
/** How deep lists and maps may lie within each other. */
export const MAX_YAML_DEPTH = 20

/** Why a text is no map of fields. */
interface YamlProblem {
  readonly message: string
  /** Line of the text, from 0. */
  readonly line: number
  /** Whether it was not even tried, for its size or depth. */
  readonly isLimit: boolean
}

/**
 * Reads fields by a real parser with the core schema, which knows texts, numbers, booleans and null: no dates, no tags of
 * other types, and no aliases, by which a small text can stand for a huge one.
 */
export function parseYaml(text: string): {
  readonly fields: Readonly<Record<string, unknown>>
  readonly problem?: YamlProblem
} {
  const limit = limitBroken(text)
  if (limit !== undefined)
    return { fields: {}, problem: { message: limit, line: 0, isLimit: true } }
  const document = parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    uniqueKeys: false,
    // Each of thousands of errors would be shown with its line; only the first is told.
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [error] = document.errors
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length - 1
    return { fields: {}, problem: { message: `${error.message}.`, line, isLimit: false } }
  }
  const { contents } = document
  if (!isMap(contents) || !contents.items.every(({ key }) => isScalar(key))) {
    return { fields: {}, problem: { message: 'it is no list of fields.', line: 0, isLimit: false } }
  }
  try {
    const fields = document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
    return { fields: toStorableJson(fields) }
  } catch {
    return { fields: {}, problem: { message: 'it has an alias (*).', line: 0, isLimit: false } }
  }
}

/**
 * The parser calls itself for each level, and a text of some ten thousand brackets ends the whole process, not by an
 * exception but for want of memory. So levels are counted first, rather too many than too few.
 */
function limitBroken(text: string): string | undefined {
  if (text.length > MAX_YAML_CHARACTERS) {
    return `it has ${text.length} characters, and ${MAX_YAML_CHARACTERS} are read as YAML.`
  }
  const hasBrackets = /[[{]/.test(text)
  let brackets = 0
  const indents: number[] = []
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent === -1) continue
    while ((indents.at(-1) ?? -1) >= indent) indents.pop()
    indents.push(indent)
    let compact = 0
    let deepest = brackets
    for (const character of hasBrackets ? line : '') {
      if (character === '[' || character === '{') deepest = Math.max(deepest, ++brackets)
      else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1)
    }
    for (const part of line.trimStart().split(/[ \t]+/)) {
      if (part !== '-' && part !== '?' && part !== ':') break
      compact++
    }
    if (indents.length + compact + deepest > MAX_YAML_DEPTH) {
      return `its lists and maps lie more than ${MAX_YAML_DEPTH} deep.`
    }
  }
  return undefined
}
