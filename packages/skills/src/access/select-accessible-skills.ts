import { explainSkillAccess } from './explain-skill-access.js'
import type { SkillCaller, SkillCandidate } from './skill-access.js'

/**
 * Selects the skills that a caller may use, in the order given and one for each slug. Of a slug the first that may be used
 * counts, so that one which the caller may not use hides nothing. A slug that is switched off is off in every tier.
 *
 * @param candidates those of higher tiers first.
 */
export function selectAccessibleSkills<Candidate extends SkillCandidate>(
  candidates: readonly Candidate[],
  caller: SkillCaller,
): readonly Candidate[] {
  const isListed = listsOf(caller)
  const off = new Set(candidates.filter(({ enabled }) => !enabled).map(({ slug }) => slug))
  const selected = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { slug } = candidate
    if (selected.has(slug) || off.has(slug) || !isListed(slug)) continue
    const { accessible } = explainSkillAccess(candidate, {
      ...caller,
      allowList: null,
      filter: null,
    })
    if (accessible) selected.set(slug, candidate)
  }
  return Array.from(selected.values())
}

/** Lists of thousands of names are looked through once, and not for each skill. */
function listsOf({ allowList, filter }: SkillCaller): (slug: string) => boolean {
  const list = filter ?? allowList
  if (list === null || list === undefined) return () => true
  const slugs = new Set(list)
  return (slug) => slugs.has(slug)
}
