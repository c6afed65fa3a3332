import { NotFoundError, defineTool, type AgentTool } from '@loam/core'
import { z } from 'zod'
import type { SkillRequest } from '../managed/accessible-skills.js'
import type { Skills } from '../managed/create-skills.js'

const searchSchema = z.object({
  query: z.string().min(1).max(10_000).describe('A few words about the task.'),
  limit: z.number().int().min(1).max(20).optional().describe('How many at most. Default 5.'),
})

const useSchema = z.object({
  slug: z.string().min(1).max(256).describe('As skill_search or the list of skills gives it.'),
  file: z
    .string()
    .max(1_000)
    .optional()
    .describe('A file of the skill that its instructions name, such as references/api.md.'),
})

/**
 * The tools `skill_search` and `use_skill` of a user of an agent: they find and read what this caller may use, and nothing else.
 *
 * @example
 * const tools = createSkillTools(skills, { tenantId, agentId, userId: 'ana' })
 */
export function createSkillTools(
  skills: Pick<Skills, 'search' | 'load' | 'readFile'>,
  request: SkillRequest,
): readonly AgentTool[] {
  return [
    defineTool({
      name: 'skill_search',
      title: 'Find a skill',
      description:
        'Finds skills, which are proven ways of doing a task. Use it before a task for which there may be one, then call use_skill.',
      inputSchema: searchSchema,
      isReadOnly: true,
      isOpenWorld: false,
      async run({ query, limit }, { signal }) {
        const { hits } = await skills.search(request, query, { limit, signal })
        if (hits.length === 0) return 'No skill fits. Go on without one.'
        const lines = hits.map(({ skill }) => `- ${skill.slug}: ${oneLine(skill.description)}`)
        return [...lines, 'Call use_skill with the slug of the one that fits.'].join('\n')
      },
    }),
    defineTool({
      name: 'use_skill',
      title: 'Use a skill',
      description: 'Reads the instructions of a skill, or a file that they name. Follow them.',
      inputSchema: useSchema,
      isReadOnly: true,
      isOpenWorld: false,
      async run({ slug, file }) {
        if (file === undefined) return (await skills.load(request, slug)).text.trim()
        const content = await skills.readFile(request, slug, file)
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(content)
        } catch {
          throw new NotFoundError({ message: `${file} is no text, so it cannot be read here.` })
        }
      },
    }),
  ]
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
