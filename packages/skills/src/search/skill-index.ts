import { createBm25Index, type Bm25Hit } from '@loam/text'
import type { SkillSummary } from '../skill.js'

/** An index of what skills say of themselves. */
export interface SkillIndex {
  readonly size: number
  /** Slugs, best first. `limit` is 5 by default and if not above 0 (seed 10). */
  search(query: string, limit?: number): readonly Bm25Hit[]
}

/** Indexes the names and descriptions of skills by their words. Make a new one when they change. */
export function createSkillIndex(skills: readonly SkillSummary[]): SkillIndex {
  return createBm25Index(
    skills.map(({ slug, name, description }) => ({ id: slug, text: `${name} ${description}` })),
  )
}
