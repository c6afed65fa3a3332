import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from '@loam/core'
import type { Runtime, SummonInput } from '@loam/runtime'
import { SUMMON_KINDS, SUMMON_STATES, type ApiKey, type Summon } from '@loam/storage'
import { streamSSE } from 'hono/streaming'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import { agentParams, answeredInstantSchema, noQuery, textSchema } from '../fields.js'
import { jsonAnswer, jsonBody, optionalJsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { followSummon } from '../follow-summon.js'

const summonSchema = z
  .strictObject({
    generation: z.int(),
    kind: z.enum(SUMMON_KINDS),
    state: z.enum(SUMMON_STATES),
    instruction: z.string().optional().openapi({
      description: 'What the model is to write from. Not told to a key that is bound to a user.',
    }),
    files: z.array(
      z.strictObject({
        name: z.string(),
        outcome: z.enum(['written', 'kept']),
        reason: z.string().optional(),
      }),
    ),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    startedAt: answeredInstantSchema,
    finishedAt: answeredInstantSchema.optional(),
  })
  .openapi('Summon')

const emptyBody = z.strictObject({}).openapi('NothingToSay')
const regenerateSchema = z
  .strictObject({ instruction: textSchema(10_000).min(1) })
  .openapi('RegenerateFiles')

const route = <Path extends string, Id extends string, Body extends z.ZodType>(
  path: Path,
  operationId: Id,
  summary: string,
  body: ReturnType<typeof jsonBody<Body>> | ReturnType<typeof optionalJsonBody<Body>>,
) =>
  createRoute({
    method: 'post',
    path,
    operationId,
    tags: ['summoning'],
    summary,
    request: { params: agentParams, query: noQuery, body },
    responses: { 202: jsonAnswer('It has begun.', summonSchema), ...problemResponses },
  })

const summon = route(
  '/agents/{agent}/summon',
  'summonAgent',
  "Have a model write the agent's files from its description; what was edited by hand stays",
  optionalJsonBody(emptyBody),
)
const resummon = route(
  '/agents/{agent}/resummon',
  'resummonAgent',
  'Try again to have the files written that are still templates',
  optionalJsonBody(emptyBody),
)
const regenerate = route(
  '/agents/{agent}/regenerate',
  'regenerateAgent',
  "Have a model change the agent's files by an instruction; the old texts are kept as versions",
  jsonBody(regenerateSchema),
)

const cancelSummon = createRoute({
  method: 'post',
  path: '/agents/{agent}/cancel-summon',
  operationId: 'cancelSummon',
  tags: ['summoning'],
  summary: 'Stop the writing; the agent is active with what it had',
  request: { params: agentParams, query: noQuery, body: optionalJsonBody(emptyBody) },
  responses: { 200: jsonAnswer('How it stands now.', summonSchema), ...problemResponses },
})

const readSummon = createRoute({
  method: 'get',
  path: '/agents/{agent}/summon',
  operationId: 'getSummon',
  tags: ['summoning'],
  summary: 'How the newest writing of the files stands',
  request: { params: agentParams, query: noQuery },
  responses: { 200: jsonAnswer('State, files and error.', summonSchema), ...problemResponses },
})

const followSummonRoute = createRoute({
  method: 'get',
  path: '/agents/{agent}/summon/events',
  operationId: 'followSummon',
  tags: ['summoning'],
  summary:
    'Server-sent events of the newest writing: started, file_generated for each file, then completed, failed or cancelled',
  request: { params: agentParams, query: noQuery },
  responses: {
    200: {
      description: 'Events until it has ended.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...problemResponses,
  },
})

/** Summoning: POST /agents/{agent}/summon, /resummon, /regenerate and /cancel-summon; GET /summon and /summon/events. */
export function summonRoutes(runtime: Runtime) {
  const { agents } = runtime

  function start(key: ApiKey, agent: string, input: SummonInput): Promise<Summon> {
    requireEveryUser(key, "have an agent's files written")
    return agents.summon(key.tenantId, agent, input)
  }

  async function find(key: ApiKey, agent: string): Promise<Summon> {
    const newest = await agents.findSummon(key.tenantId, agent)
    if (newest) return newest
    throw new NotFoundError({
      message: `No files of "${agent}" were ever written by a model. POST …/summon begins it.`,
    })
  }

  /** As a stream looks at it: an agent that is gone has none. */
  async function findNewest(key: ApiKey, agent: string): Promise<Summon | undefined> {
    try {
      return await agents.findSummon(key.tenantId, agent)
    } catch (error) {
      if (NotFoundError.isInstance(error)) return undefined
      throw error
    }
  }

  return createRoutes()
    .openapi(summon, async (context) => {
      const { agent } = context.req.valid('param')
      const key = context.get('apiKey')
      return context.json(toAnswer(key, await start(key, agent, { kind: 'retry' })), 202)
    })
    .openapi(resummon, async (context) => {
      const { agent } = context.req.valid('param')
      const key = context.get('apiKey')
      return context.json(toAnswer(key, await start(key, agent, { kind: 'retry' })), 202)
    })
    .openapi(regenerate, async (context) => {
      const { agent } = context.req.valid('param')
      const { instruction } = context.req.valid('json')
      const input = { kind: 'regenerate', instruction } as const
      const key = context.get('apiKey')
      return context.json(toAnswer(key, await start(key, agent, input)), 202)
    })
    .openapi(cancelSummon, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, "stop the writing of an agent's files")
      const { agent } = context.req.valid('param')
      await agents.cancelSummon(key.tenantId, agent)
      return context.json(toAnswer(key, await find(key, agent)), 200)
    })
    .openapi(readSummon, async (context) => {
      const { agent } = context.req.valid('param')
      const key = context.get('apiKey')
      return context.json(toAnswer(key, await find(key, agent)), 200)
    })
    .openapi(followSummonRoute, async (context) => {
      const key = context.get('apiKey')
      const { agent } = context.req.valid('param')
      // What is wrong with the request is said before the stream begins.
      const first = await find(key, agent)
      const newest = () => findNewest(key, agent)
      const signal = clientSignal(context)
      return streamSSE(context, async (stream) => {
        for await (const { event, data } of followSummon(first, newest, signal)) {
          await stream.writeSSE({ event, data: JSON.stringify(data) })
        }
      })
    })
}

function toAnswer(key: ApiKey, newest: Summon): z.infer<typeof summonSchema> {
  const { startedAt, finishedAt, agentId: _agentId, files, instruction, ...rest } = newest
  return {
    ...rest,
    ...(key.userId === undefined && { instruction }),
    files: files.map((file) => ({ ...file })),
    startedAt: startedAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
  }
}
