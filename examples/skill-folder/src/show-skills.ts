import {
  createSkillCatalog,
  planSkillPresentation,
  renderSkillSummary,
  searchSkills,
} from '@loam/skills'

/** What a prompt would say of the skills of a folder, which of them fit a task, and the text of the one that fits best. */
export async function showSkills(folder: string, task: string): Promise<string> {
  const catalog = createSkillCatalog({ global: folder })
  const skills = await catalog.list()
  const { mode, listed, tokens } = planSkillPresentation(skills)
  const { hits } = await searchSkills({ skills, query: task })
  const [best] = hits
  const warnings = await catalog.warnings()
  return [
    `${skills.length} skills, about ${Math.ceil(tokens)} tokens, presented by ${mode}`,
    renderSkillSummary(listed),
    ...hits.map(({ skill, score }) => `${score.toFixed(3)}  ${skill.slug}`),
    best === undefined ? 'None fits.' : (await catalog.load(best.skill.slug))?.text.trim(),
    ...warnings.map(({ slug, code, message }) => `${slug}: ${code}: ${message}`),
  ].join('\n')
}
