import { InvalidInputError } from '@loam/core'
import { compareText } from './compare-text.js'

/** A row that one of the two channels found. Further fields are carried along. */
export interface HybridCandidate {
  readonly id?: string | undefined
  readonly path?: string | undefined
  readonly startLine?: number | undefined
  /** Lexical: any positive scale. Vector: cosine similarity, 0 to 1. What is not finite counts as 0. */
  readonly score: number
  /** Whether the row belongs to the user or to everybody. Default `global`. */
  readonly scope?: 'personal' | 'global' | undefined
}

/** How two channels become one list. */
export interface MergeHybridOptions<Candidate extends HybridCandidate = HybridCandidate> {
  /** How much each channel counts. Default 0.3 and 0.7, for a strong embedding model. */
  readonly weights?: { readonly lexical: number; readonly vector: number } | undefined
  /** By how much a row of the user is multiplied after the weighted sum; 1 turns it off. Default 1.2. */
  readonly personalBoost?: number | undefined
  /** Divides vector scores by the best of them, for models whose similarities stay low. Default false. */
  readonly scaleVector?: boolean | undefined
  /** What makes two rows the same. Default path and start line; without a path, the id. */
  readonly key?: ((candidate: Candidate) => string) | undefined
}

/**
 * Merges the rows of word search and vector search into one list, best first.
 *
 * Lexical scores are divided by the batch's best. If one channel found nothing, the other counts in full. Where the
 * user has a copy of a document, the rows of the global copy are dropped before anything is scored. A score can exceed
 * 1 by the personal boost. Equal scores are ordered by path, start line and id.
 *
 * @throws InvalidInputError if a row has neither path nor id, or a weight or boost is negative or not finite.
 * @example
 * mergeHybrid([{ path: 'MEMORY.md', startLine: 1, score: 7.2 }], [{ path: 'MEMORY.md', startLine: 1, score: 0.8 }])
 * // [{ path: 'MEMORY.md', startLine: 1, score: 0.86 }]
 */
export function mergeHybrid<Candidate extends HybridCandidate>(
  lexical: readonly Candidate[],
  vector: readonly Candidate[],
  options: MergeHybridOptions<Candidate> = {},
): Candidate[] {
  const {
    weights = DEFAULT_WEIGHTS,
    personalBoost = 1.2,
    scaleVector = false,
    key = defaultKey,
  } = options
  checkFactors({ ...weights, personalBoost })
  const [lexicalRows, vectorRows] = dropShadowed(lexical, vector)
  const lexicalWeight = vectorRows.length === 0 ? 1 : weights.lexical
  const vectorWeight = lexicalRows.length === 0 ? 1 : weights.vector
  const merged = new Map<string, Merged<Candidate>>()
  collect(merged, lexicalRows, key, (row, score) => {
    row.lexical = Math.max(row.lexical, score)
  })
  collect(merged, vectorRows, key, (row, score) => {
    row.vector = Math.max(row.vector, score)
  })
  const bestLexical = bestOf(lexicalRows)
  const bestVector = scaleVector ? bestOf(vectorRows) : 1
  return Array.from(merged.values(), (row) => {
    const score =
      lexicalWeight * share(row.lexical, bestLexical) + vectorWeight * share(row.vector, bestVector)
    const boost = row.candidate.scope === 'personal' ? personalBoost : 1
    return { ...row.candidate, score: score * boost }
  }).toSorted(compareHits)
}

interface Merged<Candidate> {
  candidate: Candidate
  lexical: number
  vector: number
}

/** For an embedding model that can be trusted. */
const DEFAULT_WEIGHTS = { lexical: 0.3, vector: 0.7 } as const

function defaultKey({ path, startLine, id }: HybridCandidate): string {
  if (path !== undefined) return JSON.stringify([path, startLine ?? null])
  if (id !== undefined) return JSON.stringify([id])
  throw new InvalidInputError({
    message:
      'A search row has neither a path nor an id. Give one, or say by `key` how rows are told apart.',
  })
}

function checkFactors(factors: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(factors)) {
    if (Number.isFinite(value) && value >= 0) continue
    throw new InvalidInputError({ message: `${name} is ${value}; give a number of at least 0.` })
  }
}

/** The user's copy of a document wins over the global one. */
function dropShadowed<Candidate extends HybridCandidate>(
  ...channels: readonly (readonly Candidate[])[]
): readonly [readonly Candidate[], readonly Candidate[]] {
  const own = new Set<string>()
  for (const { path, scope } of channels.flat()) {
    if (path !== undefined && scope === 'personal') own.add(path)
  }
  const [lexical = [], vector = []] = channels.map((rows) =>
    rows.filter(({ path, scope }) => path === undefined || scope === 'personal' || !own.has(path)),
  )
  return [lexical, vector]
}

function collect<Candidate extends HybridCandidate>(
  merged: Map<string, Merged<Candidate>>,
  rows: readonly Candidate[],
  key: (candidate: Candidate) => string,
  add: (row: Merged<Candidate>, score: number) => void,
): void {
  for (const candidate of rows) {
    const name = key(candidate)
    const known = merged.get(name)
    const row = known ?? { candidate, lexical: 0, vector: 0 }
    if (known === undefined) merged.set(name, row)
    // The first row's fields stand; a later one fills in what the first lacks.
    else row.candidate = { ...candidate, ...withoutUndefined(row.candidate) }
    add(row, usable(candidate.score))
  }
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as Value
}

function usable(score: number): number {
  return Number.isFinite(score) && score > 0 ? score : 0
}

function bestOf(rows: readonly HybridCandidate[]): number {
  return rows.reduce((best, { score }) => Math.max(best, usable(score)), 0)
}

function share(score: number, best: number): number {
  return best > 0 ? Math.min(1, score / best) : 0
}

function compareHits(one: HybridCandidate, other: HybridCandidate): number {
  return (
    other.score - one.score ||
    compareText(one.path ?? '', other.path ?? '') ||
    (one.startLine ?? 0) - (other.startLine ?? 0) ||
    compareText(one.id ?? '', other.id ?? '')
  )
}
