import { createRoute, z } from '@hono/zod-openapi'
import { checkTypeChange, seedAgentFiles } from '@loam/bootstrap'
import { InvalidInputError, NotFoundError, toStorableJson } from '@loam/core'
import { checkAgentSettings, type Runtime } from '@loam/runtime'
import {
  AGENT_KEY_PATTERN,
  AGENT_STATUSES,
  AGENT_TYPES,
  type Agent,
  type ApiKey,
} from '@loam/storage'
import { everyUser, requireEveryUser, sharedAccess } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  answeredInstantSchema,
  deletionReceiptSchema,
  jsonObjectSchema,
  noQuery,
  pageFields,
  pageSchema,
  textSchema,
} from '../fields.js'
import { getAgent } from '../find-by-name.js'
import { jsonFault } from '../json-fault.js'
import { jsonAnswer, jsonBody, patchBody } from '../media.js'
import { mergePatch } from '../merge-patch.js'
import { problemResponses } from '../problem.js'

const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const agentKeySchema = z
  .string()
  .regex(
    AGENT_KEY_PATTERN,
    'Must be 1 to 100 letters, digits, dots, underscores or hyphens, and begin with a letter or digit',
  )
  .refine((key) => !UUID_PATTERN.test(key), 'May not look like a UUID, since ids do')
  .openapi({ example: 'assistant' })

const displayNameSchema = textSchema(200)
const descriptionSchema = textSchema(10_000)
const settingsSchema = jsonObjectSchema.openapi({
  description:
    'Settings of the features: `consolidation`, `contextFiles`, `prompt` and `skills` are checked. Unknown ones are kept.',
})

const agentFields = {
  id: z.uuid(),
  key: z.string(),
  type: z.enum(AGENT_TYPES),
  displayName: z.string().optional(),
  description: z.string().optional().openapi({
    description:
      'What a model writes its files from. Not told to a key that is bound to a user; `expertise` is.',
  }),
  status: z.enum(AGENT_STATUSES).openapi({
    description: '`summoning` while a model writes its files; it can be talked to meanwhile.',
  }),
  expertise: z.string().optional().openapi({ description: 'What it is good at.' }),
  settings: jsonObjectSchema,
  createdAt: answeredInstantSchema,
  updatedAt: answeredInstantSchema,
}

const agentSchema = z.strictObject(agentFields).openapi('Agent')

const createdAgentSchema = z
  .strictObject({ ...agentFields, warnings: z.array(z.string()).optional() })
  .openapi('CreatedAgent')

const newAgentSchema = z
  .strictObject({
    key: agentKeySchema,
    type: z.enum(AGENT_TYPES).default('open'),
    displayName: displayNameSchema.optional(),
    description: descriptionSchema.optional(),
    settings: settingsSchema.optional(),
    summon: z.boolean().optional().openapi({
      description:
        'Whether a model writes its files from its description. Default: if it is predefined, has one, and a model is configured.',
    }),
  })
  .openapi('NewAgent')

const agentPatchSchema = z
  .strictObject({
    type: z.enum(AGENT_TYPES).optional(),
    displayName: displayNameSchema.nullable().optional(),
    description: descriptionSchema.nullable().optional(),
    settings: settingsSchema.optional(),
  })
  .openapi('AgentPatch', {
    description:
      'Fields that are left out stay; null empties a field; settings are merged, and null removes one (RFC 7396).',
  })

const createAgent = createRoute({
  method: 'post',
  path: '/agents',
  operationId: 'createAgent',
  tags: ['agents'],
  summary: 'Make an agent',
  request: { query: noQuery, body: jsonBody(newAgentSchema) },
  responses: { 201: jsonAnswer('The agent.', createdAgentSchema), ...problemResponses },
})

const listAgents = createRoute({
  method: 'get',
  path: '/agents',
  operationId: 'listAgents',
  tags: ['agents'],
  summary: 'List agents by key',
  request: { query: z.strictObject(pageFields) },
  responses: { 200: jsonAnswer('A page of agents.', pageSchema(agentSchema)), ...problemResponses },
})

const readAgent = createRoute({
  method: 'get',
  path: '/agents/{agent}',
  operationId: 'getAgent',
  tags: ['agents'],
  summary: 'Read an agent',
  request: { params: agentParams, query: noQuery },
  responses: { 200: jsonAnswer('The agent.', agentSchema), ...problemResponses },
})

const updateAgent = createRoute({
  method: 'patch',
  path: '/agents/{agent}',
  operationId: 'updateAgent',
  tags: ['agents'],
  summary: 'Change an agent',
  description:
    'An agent whose files a model is writing does not become open (409): wait for it, or cancel it.',
  request: { params: agentParams, query: noQuery, body: patchBody(agentPatchSchema) },
  responses: { 200: jsonAnswer('The agent.', agentSchema), ...problemResponses },
})

const deleteAgent = createRoute({
  method: 'delete',
  path: '/agents/{agent}',
  operationId: 'deleteAgent',
  tags: ['agents'],
  summary: 'Delete an agent and everything that belongs to it',
  request: { params: agentParams, query: noQuery },
  responses: { 200: jsonAnswer('What was deleted.', deletionReceiptSchema), ...problemResponses },
})

/** Agents: POST and GET /agents, GET, PATCH and DELETE /agents/{agent}. */
export function agentRoutes(runtime: Runtime) {
  const { storage } = runtime
  return createRoutes()
    .openapi(createAgent, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'make agents')
      const input = context.req.valid('json')
      const settings = toStorableJson(input.settings ?? {})
      checkAgentSettings(settings)
      const agent = await runtime.agents.create(key.tenantId, {
        key: input.key,
        type: input.type,
        displayName: input.displayName,
        description: input.description,
        settings,
        summon: input.summon,
      })
      const warnings = warningsOf(input, runtime)
      return context.json(
        { ...toAnswer(key, agent), ...(warnings.length > 0 && { warnings }) },
        201,
      )
    })
    .openapi(listAgents, async (context) => {
      const key = context.get('apiKey')
      const page = await storage.transaction(sharedAccess(key), (stores) =>
        stores.agents.list(context.req.valid('query')),
      )
      const items = page.items.map((agent) => toAnswer(key, agent))
      return context.json({ ...page, items }, 200)
    })
    .openapi(readAgent, async (context) => {
      const { agent: reference } = context.req.valid('param')
      const key = context.get('apiKey')
      const agent = await storage.transaction(sharedAccess(key), (stores) =>
        getAgent(stores, reference),
      )
      return context.json(toAnswer(key, agent), 200)
    })
    .openapi(updateAgent, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'change agents')
      const { agent: reference } = context.req.valid('param')
      const { settings, ...patch } = context.req.valid('json')
      const agent = await storage.transaction(sharedAccess(key), async (stores) => {
        const { id } = await getAgent(stores, reference)
        // Without the lock, one of two changes at once would be merged into settings that are no longer stored.
        const stored = (await stores.agents.lock(id)) ?? goneAgent(reference)
        const { type = stored.type } = patch
        await checkTypeChange(stores, { agent: stored, type, now: runtime.clock.now() })
        const changed = await stores.agents.update(stored.id, {
          ...patch,
          ...(settings !== undefined && { settings: mergeSettings(stored.settings, settings) }),
        })
        // One that becomes predefined has files of its own from then on.
        if (changed) await seedAgentFiles(stores, changed)
        return changed ?? goneAgent(reference)
      })
      return context.json(toAnswer(key, agent), 200)
    })
    .openapi(deleteAgent, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'delete agents')
      const { agent: reference } = context.req.valid('param')
      const receipt = await storage.transaction(everyUser(key), async (stores) => {
        const agent = await getAgent(stores, reference)
        return (await stores.agents.delete(agent.id)) ?? goneAgent(reference)
      })
      return context.json(receipt, 200)
    })
}

/** What somebody should know who describes an agent and has no model to write its files. */
function warningsOf(
  { type, description = '', summon }: z.infer<typeof newAgentSchema>,
  { models }: Runtime,
): string[] {
  const isToBeWritten = type === 'predefined' && description.trim() !== '' && summon === undefined
  if (!isToBeWritten || models.chat !== undefined) return []
  return [
    'No chat model is configured, so the agent has its templates. Edit its files, or set LOAM_CHAT_MODEL and summon it.',
  ]
}

function mergeSettings(
  stored: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const settings = mergePatch(stored, toStorableJson(patch))
  const fault = jsonFault(settings)
  if (fault === undefined) {
    checkAgentSettings(settings, Object.keys(patch))
    return settings
  }
  throw new InvalidInputError({
    message: `settings, merged: ${fault}.`,
    issues: [{ path: 'settings', message: fault }],
  })
}

function goneAgent(reference: string): never {
  throw new NotFoundError({ message: `The agent "${reference}" has just been deleted.` })
}

function toAnswer(key: ApiKey, agent: Agent): z.infer<typeof agentSchema> {
  return {
    id: agent.id,
    key: agent.key,
    type: agent.type,
    displayName: agent.displayName,
    ...(key.userId === undefined && { description: agent.description }),
    status: agent.status,
    expertise: agent.expertise,
    settings: agent.settings,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  }
}
