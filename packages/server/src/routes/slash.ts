import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { agentParams, noQuery, textSchema, userIdSchema } from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { skillFilterOf, skillFilterSchema } from './agent-skills.js'

/** What a message was as a command. */
export const slashFields = {
  kind: z.enum(['none', 'activate', 'list', 'help', 'unknown']),
  slug: z.string().optional().openapi({ description: 'Of the skill that is used or explained.' }),
  target: z.string().optional().openapi({ description: 'What no skill was found for.' }),
  suggestions: z.array(z.string()).optional().openapi({ description: 'Slugs that are like it.' }),
}

const slashCommand = createRoute({
  method: 'post',
  path: '/agents/{agent}/slash',
  operationId: 'resolveSlashCommand',
  tags: ['skills'],
  summary: 'What a message would do as a slash command',
  request: {
    params: agentParams,
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          message: textSchema(1024 * 1024),
          userId: userIdSchema.optional(),
          skillFilter: skillFilterSchema,
        })
        .openapi('SlashRequest'),
    ),
  },
  responses: {
    200: jsonAnswer(
      'The command, and what it does to the turn.',
      z
        .strictObject({
          ...slashFields,
          message: z.string().openapi({ description: 'What the turn says to the model.' }),
          extraPrompt: z.string().optional(),
          skills: z.array(z.string()).openapi({ description: 'Slugs that the turn lists.' }),
        })
        .openapi('SlashCommand'),
    ),
    ...problemResponses,
  },
})

/** Slash commands: POST /agents/{agent}/slash. */
export function slashRoutes(runtime: Runtime) {
  return createRoutes().openapi(slashCommand, async (context) => {
    const key = context.get('apiKey')
    const { message, userId, skillFilter } = context.req.valid('json')
    const user = userOrShared(key, userId)
    const agent = await requireAgent(runtime, key, context.req.valid('param').agent)
    const turn = await runtime.prepareSkills({
      tenantId: key.tenantId,
      agent,
      userId: user,
      message,
      ...skillFilterOf(key, skillFilter),
    })
    const { listed, pinned } = turn.presentation
    return context.json(
      {
        ...toSlash(turn.command),
        message: turn.message ?? message,
        extraPrompt: turn.extraPrompt,
        skills: [...pinned, ...listed].map(({ slug }) => slug),
      },
      200,
    )
  })
}

type TurnSkills = Awaited<ReturnType<Runtime['prepareSkills']>>

/** A command without the texts of its skill. */
export function toSlash(command: TurnSkills['command']) {
  const { kind } = command
  if (kind === 'activate' || kind === 'help') return { kind, slug: command.skill.slug }
  if (kind === 'unknown') {
    const suggestions = command.suggestions.map(({ slug }) => slug)
    return { kind, target: command.target, suggestions }
  }
  return { kind }
}
