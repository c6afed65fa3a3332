import { InvalidInputError } from '@loam/core'
import { jsonrepair } from 'jsonrepair'
import { findJsonCandidates } from './json-candidates.js'
import { tidyJson } from './tidy-json.js'

/** How to tell the answer from other JSON in the same text. */
export interface RepairJsonOptions {
  /** Whether a parsed value is what was asked for; the next candidate is tried if not. Default: any value. */
  readonly accept?: ((value: unknown) => boolean) | undefined
}

/**
 * Reads the JSON in what a model wrote: without code fences and the prose around, with trailing commas, broken escapes,
 * unquoted keys and the like repaired. Text that was cut off is refused rather than completed, since its end is lost.
 *
 * @throws InvalidInputError if there is no JSON that can be read with certainty.
 * @example
 * repairJson('Sure! ```json\n{"score": 0. 85,}\n```') // { score: 0.85 }
 */
export function repairJson(text: string, { accept = () => true }: RepairJsonOptions = {}): unknown {
  const candidates = findJsonCandidates(text)
  // What parses as it stands is surer than what must be mended, whichever comes first.
  for (const parse of [parseStrictly, parseTidied, parseRepaired]) {
    for (const candidate of candidates) {
      const parsed = parse(candidate)
      if (parsed !== undefined && accept(parsed.value)) return parsed.value
    }
  }
  throw new InvalidInputError({
    message: `There is no complete JSON in this text of ${text.length} characters. Ask for JSON alone, and check that the answer was not cut off.`,
    details: { length: text.length },
  })
}

interface Parsed {
  readonly value: unknown
}

function parseStrictly(text: string): Parsed | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function parseTidied(text: string): Parsed | undefined {
  return parseStrictly(tidyJson(text))
}

function parseRepaired(text: string): Parsed | undefined {
  // The repair library completes whatever it is given, a bare word included.
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return parseStrictly(jsonrepair(tidyJson(text)))
  } catch {
    // Besides its own error, deep nesting exhausts the stack.
    return undefined
  }
}
