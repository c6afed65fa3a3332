import { InvalidInputError } from '@loam/core'
import { redactionRules, type RedactionRule, type Span } from './redaction-rules.js'

/** A pattern of your own. */
export interface CustomRedactionRule {
  /** Named in the marker: lower-case letters, digits and `_`. */
  readonly type: string
  /** What to take out. It runs on untrusted text: write it so that it cannot backtrack without end. */
  readonly pattern: RegExp
}

/** How much of one type was taken out. */
export interface Redaction {
  readonly type: string
  readonly count: number
}

/** A text without its secrets, and what was taken out, by type. */
export interface RedactionResult {
  readonly text: string
  readonly redactions: readonly Redaction[]
}

/**
 * Replaces secrets and personal numbers by `[REDACTED:type]`.
 *
 * Types: `private_key`, `token`, `cookie`, `secret`, `connection_string`, `iban`, `payment`, `phone`, `email`. Rules of
 * your own run first. A redacted text stays as it is when redacted again.
 *
 * @throws InvalidInputError for a rule whose type cannot stand in a marker.
 * @example
 * redact('mail bob@example.com') // { text: 'mail [REDACTED:email]', redactions: [{ type: 'email', count: 1 }] }
 */
export function redact(text: string, rules: readonly CustomRedactionRule[] = []): RedactionResult {
  const all = [...rules.map(asRule), ...redactionRules]
  const counts = new Map<string, number>()
  let current = text
  // What one rule takes out can uncover a match of another, so the rules run until nothing changes.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = current
    for (const rule of all) current = applyRule(current, rule, counts)
    if (current === before) break
  }
  return {
    text: current,
    redactions: Array.from(counts, ([type, count]) => ({ type, count })),
  }
}

/** Only a text made for it needs more than two or three. */
const MAX_PASSES = 10

const MARKER = /\[REDACTED:[a-z0-9_]{1,64}\]/g

function applyRule(text: string, rule: RedactionRule, counts: Map<string, number>): string {
  if (rule.sign && !rule.sign.test(text)) return text
  const marker = `[REDACTED:${rule.type}]`
  const parts: string[] = []
  let position = 0
  for (const { start, end } of outside(rule.find(text), findMarkers(text))) {
    if (start < position) continue
    parts.push(text.slice(position, start), marker)
    position = end
    counts.set(rule.type, (counts.get(rule.type) ?? 0) + 1)
  }
  return position === 0 ? text : parts.join('') + text.slice(position)
}

function findMarkers(text: string): Span[] {
  if (!text.includes('[REDACTED:')) return []
  return Array.from(text.matchAll(MARKER), ({ index, 0: match }) => ({
    start: index,
    end: index + match.length,
  }))
}

/** What is left of the found spans beside the markers, so that none is redacted again. Both come in order. */
function* outside(found: Iterable<Span>, markers: readonly Span[]): Generator<Span> {
  let next = 0
  for (const span of found) {
    let { start } = span
    while (next < markers.length && markers[next]!.end <= start) next += 1
    for (let at = next; at < markers.length && markers[at]!.start < span.end; at += 1) {
      if (markers[at]!.start > start) yield { start, end: markers[at]!.start }
      start = markers[at]!.end
    }
    if (start < span.end) yield { start, end: span.end }
  }
}

function asRule({ type, pattern }: CustomRedactionRule): RedactionRule {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(type)) {
    throw new InvalidInputError({
      message: `"${type}" cannot be the type of a redaction. Use lower-case letters, digits and "_".`,
    })
  }
  const global = new RegExp(pattern, `${pattern.flags.replaceAll(/[gy]/g, '')}g`)
  return {
    type,
    find: (text) =>
      Array.from(text.matchAll(global), ({ index, 0: match }) => ({
        start: index,
        end: index + match.length,
      })),
  }
}
