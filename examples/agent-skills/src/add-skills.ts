import { basename } from 'node:path'
import type { LoamClient } from '@loam/client'
import { readSkillFiles, readSkillFolder, writeSkillArchive } from '@loam/skills'

/** Stores the skills of a folder, for one agent alone, and gives their slugs. */
export async function addSkills(
  loam: LoamClient,
  agent: string,
  folder: string,
): Promise<readonly string[]> {
  const { skills } = await readSkillFolder({ source: 'workspace', root: folder })
  const added: string[] = []
  for (const { baseDir } of skills) {
    const { files } = await readSkillFiles(baseDir)
    const file = await writeSkillArchive(basename(baseDir), files)
    const { items } = await loam.uploadSkills({ file, visibility: 'internal' })
    for (const { skill } of items) {
      await loam.grantSkillToAgent({ skill: skill.slug, agent })
      added.push(skill.slug)
    }
  }
  return added
}
