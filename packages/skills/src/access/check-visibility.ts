import { InvalidInputError } from '@loam/core'
import { SKILL_VISIBILITIES, type SkillVisibility } from '@loam/storage'

/**
 * Reads a visibility as people write it: blanks and case do not matter, and nothing is `private` (spec 03, 4.3).
 *
 * @throws InvalidInputError for anything else, such as `team`.
 */
export function checkVisibility(text: string): SkillVisibility {
  const normalized = text.trim().toLowerCase()
  if (normalized === '') return 'private'
  const known = SKILL_VISIBILITIES.find((visibility) => visibility === normalized)
  if (known !== undefined) return known
  const message = `must be one of ${SKILL_VISIBILITIES.join(', ')}`
  throw new InvalidInputError({
    message: `The visibility ${JSON.stringify(text.slice(0, 100))} ${message}.`,
    issues: [{ path: 'visibility', message }],
  })
}
