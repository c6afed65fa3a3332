import { compareText } from '@loam/text'
import { SKILL_SOURCES, type SkillSource } from '../skill.js'

/**
 * Of the skills of all tiers one for each slug: the first in the order of `SKILL_SOURCES`, and within a source in the order
 * given. Sorted by slug.
 */
export function resolveTiers<Entry extends { readonly slug: string; readonly source: SkillSource }>(
  skills: readonly Entry[],
): readonly Entry[] {
  const bySlug = new Map<string, Entry>()
  for (const skill of inTierOrder(skills))
    if (!bySlug.has(skill.slug)) bySlug.set(skill.slug, skill)
  return Array.from(bySlug.values()).toSorted((a, b) => compareText(a.slug, b.slug))
}

/** Skills with those of higher tiers first; of one tier in the order given. */
export function inTierOrder<Entry extends { readonly source: SkillSource }>(
  skills: readonly Entry[],
): readonly Entry[] {
  return skills.toSorted((a, b) => RANK[a.source] - RANK[b.source])
}

const RANK = Object.fromEntries(SKILL_SOURCES.map((source, rank) => [source, rank])) as Readonly<
  Record<SkillSource, number>
>
