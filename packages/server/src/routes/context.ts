import { createRoute, z } from '@hono/zod-openapi'
import { PROMPT_MODES, type PromptMode } from '@loam/prompt'
import type { Runtime, TurnContext } from '@loam/runtime'
import { userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  identifierSchema,
  jsonObjectSchema,
  noQuery,
  sessionKeySchema,
  textSchema,
  timezoneSchema,
  userIdSchema,
} from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { skillFilterOf, skillFilterSchema } from './agent-skills.js'
import { slashFields, toSlash } from './slash.js'

const name = textSchema(200)
const text = textSchema(2_000)

const channelSchema = z.strictObject({
  platform: textSchema(100).optional(),
  chatId: textSchema(500).optional(),
  kind: z.enum(['direct', 'group']).optional(),
  title: textSchema(500).optional(),
  userDisplayName: name.optional().openapi({ description: 'What the channel calls the user.' }),
  language: textSchema(100).optional(),
})

const teamSchema = z.strictObject({
  name,
  role: text.optional().openapi({ description: "This agent's part in the team." }),
  members: z
    .array(z.strictObject({ name, role: text.optional(), description: text.optional() }))
    .max(200),
  workflow: text.optional(),
})

const contextRequestSchema = z
  .strictObject({
    userId: userIdSchema.optional(),
    session: sessionKeySchema.optional(),
    turnId: identifierSchema(500).optional().openapi({
      description: 'Names the turn, so that asking twice counts once; such as the id of its run.',
    }),
    message: textSchema(1024 * 1024)
      .optional()
      .openapi({ description: 'What the user says; a slash command in it is done.' }),
    skillFilter: skillFilterSchema,
    mode: z.enum(PROMPT_MODES).optional(),
    timezone: timezoneSchema.optional(),
    channel: channelSchema.optional(),
    team: teamSchema.optional(),
    delegationTargets: z
      .array(z.strictObject({ name, description: text.optional() }))
      .max(1_000)
      .optional(),
    tools: z
      .array(z.strictObject({ name, description: textSchema(10_000).optional() }))
      .max(1_000)
      .optional(),
    workspace: z.strictObject({ path: text.optional(), notes: text.optional() }).optional(),
    sandbox: z.strictObject({ notes: text.optional() }).optional(),
    extraPrompt: textSchema(100_000).optional(),
    canSpawn: z.boolean().optional(),
    silentToken: z
      .union([textSchema(100), z.literal(false)])
      .optional()
      .openapi({
        description:
          'What the agent replies when there is nothing to say. Default NO_REPLY; false where a reply is awaited.',
      }),
    model: textSchema(200).optional(),
  })
  .openapi('ContextRequest', {
    description: "Without userId or with an empty one, the agent's own files alone.",
  })

const contextSchema = z
  .strictObject({
    prompt: z.string().openapi({ description: 'The whole system prompt.' }),
    stable: z.string().openapi({
      description: 'What stands above the cache boundary: the same for every user, turn and day.',
    }),
    dynamic: z.string().openapi({ description: 'What stands below it.' }),
    mode: z.enum(PROMPT_MODES),
    sections: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        characters: z.int(),
        tokens: z.int().openapi({ description: 'Estimated.' }),
        stable: z.boolean(),
      }),
    ),
    characters: z.int(),
    tokens: z.int().openapi({ description: 'Estimated.' }),
    message: z.string().optional().openapi({
      description:
        "The user's turn for the model: rewritten by a slash command, else as it was given. Store what the user typed.",
    }),
    slash: z.strictObject(slashFields),
    skills: z.strictObject({
      mode: z.enum(['none', 'inline', 'search']),
      count: z.int().openapi({ description: 'How many the agent and the user may use.' }),
      listed: z.array(z.string()).openapi({ description: 'Slugs that the prompt lists.' }),
      tokens: z.number().openapi({ description: 'Estimated, of all names and descriptions.' }),
      version: z.int(),
    }),
    injected: z
      .array(jsonObjectSchema)
      .openapi({ description: 'Memories in the prompt; none yet.' }),
    firstRun: z
      .boolean()
      .openapi({ description: 'Whether the agent meets this user for the first time.' }),
    nudge: z.string().optional().openapi({
      description:
        "To be appended to the conversation as a message of the user's role, for the model alone.",
    }),
    warnings: z.array(z.string()),
  })
  .openapi('Context')

const buildContext = createRoute({
  method: 'post',
  path: '/agents/{agent}/context',
  operationId: 'buildContext',
  tags: ['prompt'],
  summary: 'Build the system prompt of a turn',
  request: { params: agentParams, query: noQuery, body: jsonBody(contextRequestSchema) },
  responses: {
    200: jsonAnswer('The prompt, and what it is made of.', contextSchema),
    ...problemResponses,
  },
})

const previewPrompt = createRoute({
  method: 'get',
  path: '/agents/{agent}/system-prompt-preview',
  operationId: 'previewSystemPrompt',
  tags: ['prompt'],
  summary: 'See the system prompt that a user would have, without side effects',
  request: {
    params: agentParams,
    query: z.strictObject({
      mode: z.enum(PROMPT_MODES).optional(),
      userId: userIdSchema.optional(),
      session: sessionKeySchema.optional(),
    }),
  },
  responses: {
    200: jsonAnswer('The prompt, and what it is made of.', contextSchema),
    ...problemResponses,
  },
})

/** Prompts: POST /agents/{agent}/context, GET /agents/{agent}/system-prompt-preview. */
export function contextRoutes(runtime: Runtime) {
  return createRoutes()
    .openapi(buildContext, async (context) => {
      const key = context.get('apiKey')
      const { userId, session, skillFilter, ...request } = context.req.valid('json')
      const user = userOrShared(key, userId)
      const agent = await requireAgent(runtime, key, context.req.valid('param').agent)
      const built = await runtime.buildContext({
        ...request,
        ...skillFilterOf(key, skillFilter),
        tenantId: key.tenantId,
        agent,
        userId: user,
        sessionKey: session,
      })
      return context.json(toAnswer(built), 200)
    })
    .openapi(previewPrompt, async (context) => {
      const key = context.get('apiKey')
      const { userId, session, mode } = context.req.valid('query')
      const user = userOrShared(key, userId)
      const agent = await requireAgent(runtime, key, context.req.valid('param').agent)
      const built = await runtime.buildContext({
        tenantId: key.tenantId,
        agent,
        userId: user,
        sessionKey: session,
        mode,
        preview: true,
      })
      return context.json(toAnswer(built), 200)
    })
}

function toAnswer(built: TurnContext): z.infer<typeof contextSchema> & { mode: PromptMode } {
  const { sections, warnings, nudge, message, skills } = built
  const { presentation } = skills
  const shown = [...presentation.pinned, ...presentation.listed]
  return {
    prompt: built.text,
    stable: built.stable,
    dynamic: built.dynamic,
    mode: built.mode,
    sections: sections.map((section) => ({ ...section })),
    characters: built.text.length,
    tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(message !== undefined && { message }),
    slash: toSlash(skills.command),
    skills: {
      mode: presentation.mode,
      count: skills.count,
      listed: shown.map(({ slug }) => slug),
      tokens: presentation.tokens,
      version: skills.version,
    },
    injected: [],
    firstRun: built.firstRun,
    ...(nudge !== undefined && { nudge }),
    warnings: [...warnings],
  }
}
