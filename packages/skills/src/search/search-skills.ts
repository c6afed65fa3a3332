import type { Logger, ModelCallContext } from '@loam/core'
import { LoamError, silentLogger } from '@loam/core'
import { mergeHybrid } from '@loam/text'
import type { SkillSummary } from '../skill.js'
import type { SkillEmbeddings } from './skill-embeddings.js'
import { createSkillIndex, type SkillIndex } from './skill-index.js'

/** What is searched for, and among what. */
export interface SkillSearchRequest<Entry extends SkillSummary> {
  /** Those that the caller may use: nothing else is found. */
  readonly skills: readonly Entry[]
  readonly query: string
  /** Default 5, also for what is not above 0. */
  readonly limit?: number | undefined
}

/** What a search works with. */
export interface SkillSearchOptions {
  /** An index of the same skills. Default: one is made. */
  readonly index?: SkillIndex | undefined
  /** Searches meaning, too. Default: words only. */
  readonly semantic?:
    | {
        readonly embeddings: SkillEmbeddings
        /** How much meaning counts, 0 to 1; words get the rest. Default 0.7 (seed 11). */
        readonly vectorWeight?: number | undefined
        readonly context: ModelCallContext
      }
    | undefined
  readonly logger?: Logger | undefined
}

/** A skill that was found. */
export interface SkillHit<Entry extends SkillSummary = SkillSummary> {
  readonly skill: Entry
  /** Comparable within one search: the BM25 score when words alone were searched, else 0 to 1. */
  readonly score: number
}

/** What a search found. */
export interface SkillSearchResult<Entry extends SkillSummary = SkillSummary> {
  /** Best first, ties by slug. */
  readonly hits: readonly SkillHit<Entry>[]
  readonly mode: 'bm25' | 'hybrid'
  /** Why meaning was not searched, or not of all skills. */
  readonly warnings: readonly string[]
}

/** Skills without a vector up to which a search waits until they have one. */
const MAX_FILLED_BY_SEARCH = 64
const DEFAULT_LIMIT = 5

/**
 * Searches skills by words, and by meaning if it is given embeddings. The two are merged by slug, 0.3 to 0.7; where one finds
 * nothing the other counts in full. A model that fails costs the search its meaning, not its words.
 *
 * @example
 * await searchSkills({ skills, query: 'search the web' }) // { hits: [{ skill, score: 2.62 }], mode: 'bm25', warnings: [] }
 */
export async function searchSkills<Entry extends SkillSummary>(
  { skills, query, limit: asked = DEFAULT_LIMIT }: SkillSearchRequest<Entry>,
  { index = createSkillIndex(skills), semantic, logger = silentLogger }: SkillSearchOptions = {},
): Promise<SkillSearchResult<Entry>> {
  const limit = asked > 0 ? Math.floor(asked) : DEFAULT_LIMIT
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]))
  const toHits = (rows: readonly { readonly id: string; readonly score: number }[]) =>
    rows.slice(0, limit).map(({ id, score }) => ({ skill: bySlug.get(id)!, score }))
  if (query.trim() === '' || skills.length === 0) return { hits: [], mode: 'bm25', warnings: [] }
  const lexical = index.search(query, 2 * limit)
  if (semantic === undefined) return { hits: toHits(lexical), mode: 'bm25', warnings: [] }

  const { embeddings, vectorWeight = 0.7, context } = semantic
  const warnings: string[] = []
  try {
    const missing = await embeddings.countMissing(skills)
    if (missing > 0 && missing <= MAX_FILLED_BY_SEARCH)
      await embeddings.embedMissing(skills, context)
    else if (missing > 0) warnings.push(`${missing} skills are not searched by meaning yet.`)
    const vector = await embeddings.similar(query, skills, 2 * limit, context)
    const merged = mergeHybrid(lexical, vector, {
      weights: { lexical: 1 - vectorWeight, vector: vectorWeight },
      personalBoost: 1,
    })
    const rows = merged.map(({ id, score }) => ({ id, score }))
    return { hits: toHits(rows), mode: 'hybrid', warnings }
  } catch (error) {
    context.signal?.throwIfAborted()
    const code = LoamError.isInstance(error) ? error.code : 'unknown'
    logger.warn('skills.searched-by-words-only', { code, error })
    const warning = `The embedding model did not answer (${code}); only words were searched.`
    return { hits: toHits(lexical), mode: 'bm25', warnings: [warning] }
  }
}
