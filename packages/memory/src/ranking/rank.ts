import type { ChunkKey, LexicalMatches } from '@loam/storage'
import { compareText } from '@loam/text'
import { type Candidate, ownScore, unitKey } from './candidates.js'
import { neighbourScore } from './neighbour-signal.js'
import { personalFactor } from './personal-signal.js'
import { scaleToBest } from './scale.js'
import { sessionScores } from './session-signal.js'
import { namedSpeaker } from './speaker-signal.js'
import type { RankingWeights } from './weights.js'

/** What makes up a score, before the best score is scaled to 1. */
export interface ScoreParts {
  readonly lexical: number
  readonly vector: number
  readonly neighbours: number
  readonly session: number
  readonly speaker: number
}

/** A unit with its score, which is 1 for the best, and what it is made up of. */
export interface RankedUnit {
  readonly unit: Candidate
  readonly score: number
  readonly parts: ScoreParts
}

/** What ranking needs beside the candidates. */
export interface RankingInput {
  readonly query: string
  readonly units: ReadonlyMap<string, Candidate>
  /** Turns beside the candidates, which matched nothing themselves. */
  readonly beside: readonly ChunkKey[]
  readonly lexical: LexicalMatches
  readonly weights: Omit<RankingWeights, 'vector'>
  readonly minScore: number
  readonly limit: number
}

/** Puts everything that was found into one order, and returns the best of it, best first. */
export function rankUnits(input: RankingInput): readonly RankedUnit[] {
  const messages = firstParts(input.beside).map(unmatched)
  const ranked: RankedUnit[] = []
  for (const unit of input.units.values()) {
    if (unit.chunk.source === 'messages') messages.push(unit)
    else ranked.push(rankAlone(unit, input.weights.personal))
  }
  ranked.push(...rankMessages(messages, input))
  const best = maxOf(ranked, ({ score }) => score)
  return ranked
    .filter(({ score }) => score > 0 && score / best >= input.minScore)
    .toSorted(compareUnits)
    .slice(0, input.limit)
    .map((unit) => ({ ...unit, score: unit.score / best }))
}

/** Documents and episodes stand for themselves. */
function rankAlone(unit: Candidate, personal: number): RankedUnit {
  const { lexical, vector } = unit
  const parts = { lexical, vector, neighbours: 0, session: 0, speaker: 0 }
  return scaled(unit, parts, personalFactor(unit.chunk, personal))
}

/**
 * Ranks messages by their own score and what their context adds. The context decides among messages; it does not lift them above
 * other sources, since the best total is brought back to the best own score.
 */
function rankMessages(messages: readonly Candidate[], input: RankingInput): readonly RankedUnit[] {
  const { weights } = input
  const own = new Map<string, Map<number, number>>()
  for (const unit of messages) {
    const { groupId, position } = unit.chunk
    const session = own.get(groupId) ?? new Map<number, number>()
    own.set(groupId, session.set(position, ownScore(unit)))
  }
  const lent = messages.map(({ chunk }) => neighbourScore(chunk, own, weights))
  const bestSmoothed = maxOf(messages, (unit, index) => ownScore(unit) + (lent[index] ?? 0)) || 1
  const sessions = scaleToBest(sessionScores(input.lexical))
  const speakers = new Set(messages.flatMap(({ chunk }) => chunk.speaker ?? []))
  const named = namedSpeaker(input.query, speakers)
  const parts = messages.map((unit, index): ScoreParts => {
    const { groupId, speaker } = unit.chunk
    return {
      lexical: unit.lexical / bestSmoothed,
      vector: unit.vector / bestSmoothed,
      neighbours: (lent[index] ?? 0) / bestSmoothed,
      session: weights.session * (sessions.get(groupId) ?? 0),
      speaker: named !== undefined && speaker === named ? weights.speaker : 0,
    }
  })
  const factor = maxOf(messages, ownScore) / (maxOf(parts, totalOf) || 1)
  return parts.flatMap((part, index) => {
    const unit = messages[index]
    return unit === undefined ? [] : [scaled(unit, part, factor)]
  })
}

function scaled(unit: Candidate, parts: ScoreParts, factor: number): RankedUnit {
  return {
    unit,
    score: totalOf(parts) * factor,
    parts: {
      lexical: parts.lexical * factor,
      vector: parts.vector * factor,
      neighbours: parts.neighbours * factor,
      session: parts.session * factor,
      speaker: parts.speaker * factor,
    },
  }
}

function totalOf({ lexical, vector, neighbours, session, speaker }: ScoreParts): number {
  return lexical + vector + neighbours + session + speaker
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
  return { chunk, lexical: 0, vector: 0, similarity: undefined, matchedTerms: [] }
}

function maxOf<Item>(items: readonly Item[], value: (item: Item, index: number) => number): number {
  return items.reduce((most, item, index) => Math.max(most, value(item, index)), 0)
}

/** Ties go by path and line, then to what is newer, then by place, so that an order never depends on chance. */
function compareUnits(one: RankedUnit, other: RankedUnit): number {
  const [first, second] = [one.unit.chunk, other.unit.chunk]
  return (
    other.score - one.score ||
    compareText(first.path ?? '', second.path ?? '') ||
    (first.startLine ?? 0) - (second.startLine ?? 0) ||
    second.occurredAt.getTime() - first.occurredAt.getTime() ||
    compareText(first.groupId, second.groupId) ||
    first.position - second.position
  )
}
