import { endOfString } from './tidy-json.js'

/** The stretches of a text that may be the JSON in it, longest first. What was cut off is not among them. */
export function findJsonCandidates(text: string): string[] {
  const whole = text.replace(/^\uFEFF/, '').trim()
  const found = new Set<string>()
  for (const part of [whole, ...fencedBlocks(whole)]) {
    const spans = balancedSpans(part)
    const values = spans.map(({ start, end }) => part.slice(start, end))
    // Values in a row, as in JSON Lines, are one array: to keep one of them would lose the rest.
    if (values.length > 1 && standAlone(part, spans)) found.add(`[${values.join(',')}]`)
    else if (isWhole(part)) found.add(part)
    for (const value of values) found.add(value)
  }
  return Array.from(found).toSorted((one, other) => other.length - one.length)
}

interface Span {
  readonly start: number
  readonly end: number
}

function fencedBlocks(text: string): string[] {
  const blocks: string[] = []
  let open = -1
  for (const { index, 0: fence } of text.matchAll(/```[^\S\n]*\w{0,20}[^\S\n]*\n?/g)) {
    if (open === -1) {
      open = index + fence.length
    } else {
      blocks.push(text.slice(open, index).trim())
      open = -1
    }
  }
  return blocks
}

/** Whether nothing but separators stands outside the values. */
function standAlone(text: string, spans: readonly Span[]): boolean {
  const gaps = spans.map(({ start }, index) => text.slice(spans[index - 1]?.end ?? 0, start))
  return [...gaps, text.slice(spans.at(-1)?.end ?? 0)].every((gap) => /^[\s,]*$/.test(gap))
}

/** A bare string or number, or a value that closes at the very end. */
function isWhole(text: string): boolean {
  if (!/^[[{]/.test(text)) return text !== ''
  const { end, state } = readBalanced(text, 0)
  if (state === 'balanced') return end === text.length
  // Brackets left open outside of any string: the text was cut off. Else an unescaped quote may have misled the scan.
  return state !== 'open' && bracketsBalance(text)
}

function bracketsBalance(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }
  return depth === 0 && text.endsWith(text.startsWith('{') ? '}' : ']')
}

/** Brackets in prose before the JSON cost an attempt each. So often may the text be read before the search ends. */
const MAX_READINGS = 8

/** Objects and arrays that close all that they open, from left to right. */
function balancedSpans(text: string): Span[] {
  const spans: Span[] = []
  let budget = MAX_READINGS * text.length
  let position = nextOpener(text, 0)
  while (position !== -1 && budget > 0) {
    const { end, state } = readBalanced(text, position)
    budget -= end - position
    if (state === 'balanced') spans.push({ start: position, end })
    // Cut off: an inner value that happens to be complete is not the answer.
    else if (looksLikeJson(text, position)) break
    position = nextOpener(text, state === 'balanced' ? end : position + 1)
  }
  return spans
}

function looksLikeJson(text: string, position: number): boolean {
  return /^(?:\{\s{0,16}"[^"]{0,200}"\s{0,16}:|\[\s{0,16}(?:[[{"]|-?\d))/.test(
    text.slice(position, position + 256),
  )
}

function nextOpener(text: string, from: number): number {
  OPENER.lastIndex = from
  return OPENER.exec(text)?.index ?? -1
}

const OPENER = /[[{]/g

interface Reading {
  readonly end: number
  /** How it ended: all closed, a bracket closed another's, or the text ended in a string or with open brackets. */
  readonly state: 'balanced' | 'mismatched' | 'in-string' | 'open'
}

function readBalanced(text: string, start: number): Reading {
  const closers: string[] = []
  let position = start
  while (position < text.length) {
    const character = text[position]!
    position += 1
    if (character === '"') {
      position = endOfString(text, position)
      if (position > text.length) return { end: text.length, state: 'in-string' }
    } else if (character === '{') closers.push('}')
    else if (character === '[') closers.push(']')
    else if (character === '}' || character === ']') {
      if (closers.pop() !== character) return { end: position, state: 'mismatched' }
      if (closers.length === 0) return { end: position, state: 'balanced' }
    }
  }
  return { end: text.length, state: 'open' }
}
