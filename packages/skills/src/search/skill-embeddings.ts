import { createHash } from 'node:crypto'
import { VectorDimensionError, type EmbeddingModel, type ModelCallContext } from '@loam/core'
import { compareText } from '@loam/text'
import type { SkillSummary } from '../skill.js'
import type { KeptVector, VectorStore } from './vector-store.js'

/** Texts that are embedded by one call. */
const BATCH_SIZE = 64
/** Most bytes of vectors in memory; the oldest go first. */
const MAX_BYTES = 64 * 2 ** 20

/** A skill that is like a query. */
export interface SimilarSkill {
  readonly id: string
  /** Cosine similarity, above the model's threshold. */
  readonly score: number
}

/** The meaning of skills, by an embedding model. */
export interface SkillEmbeddings {
  /** Makes the vectors that are missing, and keeps each batch as soon as it is made. Returns how many were made. */
  embedMissing(skills: readonly SkillSummary[], context: ModelCallContext): Promise<number>
  /** How many of the skills have no vector yet. */
  countMissing(skills: readonly SkillSummary[]): Promise<number>
  /** Those with a vector that are like the query, best first, ties by slug. */
  similar(
    query: string,
    skills: readonly SkillSummary[],
    limit: number,
    context: ModelCallContext,
  ): Promise<readonly SimilarSkill[]>
}

/** Gives skills vectors by the hash of their text, so that a changed description is a new text, and an equal one costs nothing. */
export function createSkillEmbeddings(
  embeddings: EmbeddingModel,
  store: VectorStore,
): SkillEmbeddings {
  const { dimensions, trust } = embeddings
  const known = new Map<string, Float32Array>()
  const maxKnown = Math.max(1_000, Math.floor(MAX_BYTES / (4 * dimensions)))

  function remember(vectors: readonly KeptVector[]): void {
    for (const { textHash, vector } of vectors) known.set(textHash, vector)
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break
      known.delete(oldest)
    }
  }

  /** Texts without a vector, by hash. */
  async function missing(skills: readonly SkillSummary[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map(skills.map((skill) => [hashOf(skill), textOf(skill)]))
    for (const textHash of texts.keys()) if (known.has(textHash)) texts.delete(textHash)
    if (texts.size === 0) return texts
    const kept = await store.read(Array.from(texts.keys()))
    remember(kept)
    for (const { textHash } of kept) texts.delete(textHash)
    return texts
  }

  async function embed(
    texts: readonly string[],
    context: ModelCallContext,
  ): Promise<Float32Array[]> {
    const vectors = await embeddings.embed(texts, context)
    return texts.map((_, index) => {
      const vector = vectors[index]
      if (vector?.length === dimensions) return Float32Array.from(vector)
      throw new VectorDimensionError({ expected: dimensions, actual: vector?.length ?? 0 })
    })
  }

  return {
    countMissing: async (skills) => (await missing(skills)).size,
    async embedMissing(skills, context) {
      const entries = Array.from(await missing(skills))
      for (let at = 0; at < entries.length; at += BATCH_SIZE) {
        const batch = entries.slice(at, at + BATCH_SIZE)
        const vectors = await embed(
          batch.map(([, text]) => text),
          context,
        )
        const made = batch.map(([textHash], index) => ({ textHash, vector: vectors[index]! }))
        await store.put(made)
        remember(made)
      }
      return entries.length
    },
    async similar(query, skills, limit, context) {
      const [[asked]] = await Promise.all([embed([query], context), missing(skills)])
      const length = norm(asked!)
      if (length === 0) return []
      const hits: SimilarSkill[] = []
      for (const skill of skills) {
        const vector = known.get(hashOf(skill))
        const score = vector === undefined ? 0 : cosine(asked!, length, vector)
        if (score > 0 && score >= trust.minSimilarity) hits.push({ id: skill.slug, score })
      }
      return hits.toSorted((a, b) => b.score - a.score || compareText(a.id, b.id)).slice(0, limit)
    },
  }
}

/** What is embedded of a skill (spec 03, 4.6). */
function textOf({ name, description }: SkillSummary): string {
  return `${name}: ${description}`
}

// A skill that did not change is the same object from one search to the next.
const hashes = new WeakMap<SkillSummary, string>()

/** The hash by which the vector of a skill is kept. */
export function hashOf(skill: SkillSummary): string {
  const remembered = hashes.get(skill)
  if (remembered !== undefined) return remembered
  const hash = createHash('sha256').update(textOf(skill)).digest('hex')
  hashes.set(skill, hash)
  return hash
}

function norm(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}

function cosine(asked: Float32Array, askedLength: number, vector: Float32Array): number {
  let dot = 0
  let square = 0
  for (let index = 0; index < asked.length; index++) {
    const value = vector[index]!
    dot += asked[index]! * value
    square += value * value
  }
  return square === 0 ? 0 : dot / (askedLength * Math.sqrt(square))
}
