import type { ChunkKey, LexicalMatches, VectorMatch } from '@loam/storage'
import { lexicalScores } from './lexical-signal.js'
import { scaleToBest } from './scale.js'
import { vectorScores } from './vector-signal.js'

/** How the two channels share the score; together 1. */
export interface ChannelWeights {
  readonly lexical: number
  readonly vector: number
}

/** What is ranked: one position of one group, such as a message with all its parts, or one chunk of a document. */
export interface Candidate {
  /** The part that answers for it: the one that matches best. */
  readonly chunk: ChunkKey
  /** Weighted share of the lexical channel, scaled to its best. */
  readonly lexical: number
  /** Weighted share of the vector channel, scaled to its best. */
  readonly vector: number
  readonly similarity: number | undefined
  readonly matchedTerms: readonly string[]
}

/** What the channels found, as units, by `unitKey`. */
export interface Candidates {
  readonly units: ReadonlyMap<string, Candidate>
  readonly weights: ChannelWeights
}

/** Names the unit at a place. */
export function unitKey(groupId: string, position: number): string {
  return `${groupId}:${position}`
}

/**
 * Joins the chunks that the channels found into units and fuses their scores, each scaled to the best of its channel.
 * A channel that found nothing leaves its weight to the other (spec 04, 5.4).
 */
export function collectCandidates(
  lexical: LexicalMatches,
  vectors: readonly VectorMatch[],
  options: { readonly vectorWeight: number; readonly minSimilarity: number },
): Candidates {
  const similarities = vectorScores(vectors, options.minSimilarity)
  const byWords = scaleToBest(lexicalScores(lexical))
  const byMeaning = scaleToBest(similarities)
  const weights = channelWeights(byWords.size, byMeaning.size, options.vectorWeight)
  const units = new Map<string, Candidate>()
  const add = (chunk: ChunkKey, terms: Iterable<string>) => {
    const key = unitKey(chunk.groupId, chunk.position)
    const part: Candidate = {
      chunk,
      lexical: weights.lexical * (byWords.get(chunk.chunkId) ?? 0),
      vector: weights.vector * (byMeaning.get(chunk.chunkId) ?? 0),
      similarity: similarities.get(chunk.chunkId),
      matchedTerms: [...terms],
    }
    const known = units.get(key)
    units.set(key, known === undefined ? part : join(known, part))
  }
  for (const match of lexical.matches) add(match, match.frequencies.keys())
  for (const match of vectors) if (similarities.has(match.chunkId)) add(match, [])
  return { units, weights }
}

/** The score of a unit by itself. */
export function ownScore({ lexical, vector }: Candidate): number {
  return lexical + vector
}

function channelWeights(words: number, meaning: number, vectorWeight: number): ChannelWeights {
  if (meaning === 0) return { lexical: 1, vector: 0 }
  if (words === 0) return { lexical: 0, vector: 1 }
  return { lexical: 1 - vectorWeight, vector: vectorWeight }
}

/** Each signal of a unit is that of its best part. */
function join(one: Candidate, other: Candidate): Candidate {
  const better = compareParts(one, other) <= 0 ? one : other
  return {
    chunk: better.chunk,
    lexical: Math.max(one.lexical, other.lexical),
    vector: Math.max(one.vector, other.vector),
    similarity: maxOf(one.similarity, other.similarity),
    matchedTerms: [...new Set([...one.matchedTerms, ...other.matchedTerms])],
  }
}

function compareParts(one: Candidate, other: Candidate): number {
  return ownScore(other) - ownScore(one) || one.chunk.part - other.chunk.part
}

function maxOf(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.max(one, other)
}
