import type { ChunkKey, LexicalMatches } from '@loam/storage'
import { type Candidate, ownScore, unitKey } from './candidates.js'
import { neighbourScore } from './neighbour-signal.js'
import { personalFactor } from './personal-signal.js'
import { scaleToBest } from './scale.js'
import { sessionScores } from './session-signal.js'
import { namedSpeaker } from './speaker-signal.js'
import type { RankingWeights } from './weights.js'

/** A unit with its score, which is 1 for the best, and the parts of the score before that scaling. */
export interface RankedUnit extends Candidate {
  readonly score: number
  readonly neighbours: number
  readonly session: number
  readonly speaker: number
}

/** What ranking needs beside the candidates. */
export interface RankingInput {
  readonly query: string
  readonly units: ReadonlyMap<string, Candidate>
  /** Turns beside the candidates, which matched nothing themselves. */
  readonly beside: readonly ChunkKey[]
  readonly lexical: LexicalMatches
  readonly weights: Omit<RankingWeights, 'vector'>
}

/** Puts everything that was found into one order, best first. */
export function rankUnits(input: RankingInput): readonly RankedUnit[] {
  const messages = firstParts(input.beside).map(unmatched)
  const others: RankedUnit[] = []
  for (const unit of input.units.values()) {
    if (unit.chunk.source === 'messages') messages.push(unit)
    else others.push({ ...unit, score: ownScore(unit), neighbours: 0, session: 0, speaker: 0 })
  }
  const ranked = [...rankMessages(messages, input), ...others].map((unit) =>
    multiply(unit, personalFactor(unit.chunk, input.weights.personal)),
  )
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0)
  return ranked
    .filter(({ score }) => score > 0)
    .map((unit) => ({ ...unit, score: unit.score / best }))
    .toSorted(compareUnits)
}

/**
 * Ranks messages by their own score and what their context adds. The context decides among messages; it does not lift them above other
 * sources, since the best total is brought back to the best own score.
 */
function rankMessages(messages: readonly Candidate[], input: RankingInput): readonly RankedUnit[] {
  const { weights } = input
  const own = new Map(messages.map((unit) => [keyOf(unit), ownScore(unit)]))
  const sessions = scaleToBest(sessionScores(input.lexical))
  const speakers = messages.flatMap(({ chunk }) => chunk.speaker ?? [])
  const speaker = namedSpeaker(input.query, speakers)
  const lent = new Map(
    messages.map((unit) => [keyOf(unit), neighbourScore(unit.chunk, own, weights)]),
  )
  const bestSmoothed = maxOf(messages, (unit) => ownScore(unit) + (lent.get(keyOf(unit)) ?? 0)) || 1
  const totals = messages.map((unit): RankedUnit => {
    const parts = {
      lexical: unit.lexical / bestSmoothed,
      vector: unit.vector / bestSmoothed,
      neighbours: (lent.get(keyOf(unit)) ?? 0) / bestSmoothed,
      session: weights.session * (sessions.get(unit.chunk.groupId) ?? 0),
      speaker: speaker !== undefined && unit.chunk.speaker === speaker ? weights.speaker : 0,
    }
    const score = parts.lexical + parts.vector + parts.neighbours + parts.session + parts.speaker
    return { ...unit, ...parts, score }
  })
  const bestTotal = maxOf(totals, ({ score }) => score) || 1
  const factor = maxOf(messages, ownScore) / bestTotal
  return totals.map((unit) => multiply(unit, factor))
}

/** One chunk for each place: the first part of a long message. */
function firstParts(chunks: readonly ChunkKey[]): readonly ChunkKey[] {
  const first = new Map<string, ChunkKey>()
  for (const chunk of chunks) {
    const key = unitKey(chunk.groupId, chunk.position)
    const known = first.get(key)
    if (known === undefined || chunk.part < known.part) first.set(key, chunk)
  }
  return [...first.values()]
}

function unmatched(chunk: ChunkKey): Candidate {
  return { chunk, lexical: 0, vector: 0, similarity: undefined, matchedTerms: new Set() }
}

function multiply(unit: RankedUnit, factor: number): RankedUnit {
  return {
    ...unit,
    score: unit.score * factor,
    lexical: unit.lexical * factor,
    vector: unit.vector * factor,
    neighbours: unit.neighbours * factor,
    session: unit.session * factor,
    speaker: unit.speaker * factor,
  }
}

function keyOf({ chunk }: Candidate): string {
  return unitKey(chunk.groupId, chunk.position)
}

function maxOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, value(item)), 0)
}

/** Ties go by path and line, then to what is newer, then by id, so that an order never depends on chance. */
function compareUnits(one: RankedUnit, other: RankedUnit): number {
  return (
    other.score - one.score ||
    compareText(one.chunk.path ?? '', other.chunk.path ?? '') ||
    (one.chunk.startLine ?? 0) - (other.chunk.startLine ?? 0) ||
    other.chunk.occurredAt.getTime() - one.chunk.occurredAt.getTime() ||
    compareText(one.chunk.groupId, other.chunk.groupId) ||
    one.chunk.position - other.chunk.position
  )
}

function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
