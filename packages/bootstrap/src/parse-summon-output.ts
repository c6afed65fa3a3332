import { InvalidInputError } from '@loam/core'
import { headOf } from '@loam/text'
import { SUMMONED_FILE_NAMES, type ContextFile } from './file-names.js'
import { identityHint } from './templates/identity.js'

/** What a model wrote of an agent. */
export interface SummonOutput {
  /** Each name once, in the order of `SUMMONED_FILE_NAMES`. */
  readonly files: readonly ContextFile[]
  /** What the agent is good at; at most 200 characters. */
  readonly expertise?: string
  /** Names of files that were asked for and are not among `files`. */
  readonly missing: readonly string[]
  /** Blocks that could not be used, and why. */
  readonly problems: readonly SummonProblem[]
}

export interface SummonProblem {
  readonly name: string
  readonly reason: string
}

export interface ParseSummonOptions {
  /** Why the model stopped; after `length` the last block is not complete. Default: it was done. */
  readonly finishReason?: string | undefined
  /** Longest text of a file, in UTF-16 code units. Default 40,000. */
  readonly maxFileLength?: number | undefined
}

const MAX_FILE_LENGTH = 40_000
const MAX_EXPERTISE_LENGTH = 200
/** Opening tags beyond these are not looked at; an answer has four. */
const MAX_BLOCKS = 100

/**
 * Reads the files in a model's answer: `<file name="X">…</file>` blocks with whatever prose and fences around them, and a
 * `<frontmatter>` (spec 01, 3.2). A later block of the same name replaces an earlier one.
 *
 * A block that is not closed, holds another one, is too long, or still holds a template's hint is not used, and named in
 * `problems`; so is a name that nobody asked for.
 *
 * @throws InvalidInputError when nothing can be used.
 */
export function parseSummonOutput(text: string, options: ParseSummonOptions = {}): SummonOutput {
  const { finishReason, maxFileLength = MAX_FILE_LENGTH } = options
  const found = new Map<string, string>()
  let problems: SummonProblem[] = []
  const refuse = (name: string, reason: string) => problems.push({ name, reason })
  const blocks = [...blocksOf(text)]
  for (const { name, body, isClosed, isNested } of blocks) {
    if (!SUMMONED_FILE_NAMES.some((known) => known === name)) {
      refuse(headOf(name, 100), 'Nobody asked for this file.')
    } else if (!isClosed) {
      refuse(name, isNested ? 'Another file begins inside it.' : cutOff(finishReason))
    } else {
      const content = body.trim()
      if (ANY_OPENING.test(content)) {
        refuse(name, 'Another file begins inside it.')
      } else if (content.length > maxFileLength) {
        refuse(name, `It has ${content.length} characters, and ${maxFileLength} is the most.`)
      } else if (hasHint(content)) {
        refuse(name, 'It still holds a hint of the form that was to be filled in.')
      } else if (content !== '') {
        found.set(name, content)
        // What was wrong with an earlier attempt does not matter any more; a later one that failed does.
        problems = problems.filter((problem) => problem.name !== name)
      }
    }
  }
  const files = SUMMONED_FILE_NAMES.flatMap((name) => {
    const content = found.get(name)
    return content === undefined ? [] : [{ name, content: `${content}\n` }]
  })
  if (files.length === 0) {
    throw new InvalidInputError({
      message: `The model's answer holds no parseable files${describe(problems)}. Try again, or another model.`,
      issues: problems.map(({ name, reason }) => ({ path: name, message: reason })),
    })
  }
  const expertise = expertiseIn(text, blocks)
  return {
    files,
    ...(expertise !== '' && { expertise }),
    missing: SUMMONED_FILE_NAMES.filter((name) => !found.has(name)),
    problems,
  }
}

interface Block {
  readonly name: string
  readonly body: string
  readonly isClosed: boolean
  /** Whether another block began before it was closed. */
  readonly isNested: boolean
  /** Where its opening tag begins. */
  readonly start: number
  /** Behind its closing tag; where the next block begins if it has none. */
  readonly end: number
}

const OPENING =
  /<file\s{1,20}name\s{0,20}=\s{0,20}(?:"([^"<>]{0,200})"|'([^'<>]{0,200})')\s{0,20}>/gi
const CLOSING = /<\/file\s{0,20}>/gi
/** Also a tag in a form that is not read as the beginning of a file: what stands around it belongs to two files. */
const ANY_OPENING = /<file(?![\w.-])/i

/** The blocks in their order. Each position is looked at once, however many tags there are. */
function* blocksOf(text: string): Generator<Block> {
  const openings: RegExpExecArray[] = []
  for (const opening of text.matchAll(OPENING)) {
    openings.push(opening)
    if (openings.length > MAX_BLOCKS) break
  }
  const closings = text.matchAll(CLOSING)
  let closing = closings.next()
  for (const [index, opening] of openings.slice(0, MAX_BLOCKS).entries()) {
    const start = opening.index + opening[0].length
    const next = openings[index + 1]?.index ?? Number.POSITIVE_INFINITY
    while (!closing.done && closing.value.index < start) closing = closings.next()
    const end = closing.done ? Number.POSITIVE_INFINITY : closing.value.index
    const name = (opening[1] ?? opening[2] ?? '').trim()
    const isClosed = end < next
    const isNested = !isClosed && next !== Number.POSITIVE_INFINITY
    const closingLength = closing.done ? 0 : closing.value[0].length
    yield {
      name,
      body: isClosed ? text.slice(start, end) : '',
      isClosed,
      isNested,
      start: opening.index,
      end: isClosed ? end + closingLength : next,
    }
  }
}

/** The first complete frontmatter that stands outside of files; a file's own text may speak of one. */
function expertiseIn(text: string, blocks: readonly Block[]): string {
  let from = 0
  for (const { start, end } of [...blocks, { start: text.length, end: text.length }]) {
    const line = frontmatterIn(text.slice(from, start))
    if (line !== '') return line
    from = end
  }
  return ''
}

function frontmatterIn(text: string): string {
  const start = /<frontmatter\s{0,20}>/i.exec(text)
  if (!start) return ''
  const from = start.index + start[0].length
  const end = text.slice(from, from + 10_000).search(/<\/frontmatter\s{0,20}>/i)
  if (end === -1) return ''
  const line = text
    .slice(from, from + end)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= MAX_EXPERTISE_LENGTH
    ? line
    : `${headOf(line, MAX_EXPERTISE_LENGTH - 1).trimEnd()}…`
}

/** What the form itself or a template says in place of a text. */
function hasHint(content: string): boolean {
  return (
    content.includes(identityHint) ||
    /^\(the whole text of \S{1,40}\)$/im.test(content) ||
    /\[(?:fill in|your|insert)[^\]\n]{0,80}\]/i.test(content)
  )
}

function cutOff(finishReason: string | undefined): string {
  return finishReason === 'length'
    ? 'The answer was cut off by its token limit.'
    : 'The answer ends inside it.'
}

function describe(problems: readonly SummonProblem[]): string {
  if (problems.length === 0) return ''
  return ` (${problems
    .slice(0, 5)
    .map(({ name, reason }) => `${name}: ${reason}`)
    .join(' ')})`
}
