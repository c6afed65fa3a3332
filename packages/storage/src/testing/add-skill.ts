import { sampleSkill, sampleSkillVersion } from './samples.js'
import type { World } from './world.js'

/** Stores a skill of that slug with one version. */
export async function addSkill(
  world: World,
  slug: string,
  skill: Partial<ReturnType<typeof sampleSkill>> = {},
) {
  const stored = await world.asEveryone(({ skills }) =>
    skills.putVersion(sampleSkill({ slug, ...skill }), sampleSkillVersion({ contentHash: slug })),
  )
  if (stored === undefined) throw new Error('No version was made.')
  return stored
}
