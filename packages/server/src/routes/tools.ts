import { createRoute, z } from '@hono/zod-openapi'
import { callTool, describeTools, NotFoundError, type AgentTool } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { ApiKey } from '@loam/storage'
import { senderOf, userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import {
  agentParams,
  identifierSchema,
  jsonObjectSchema,
  noQuery,
  ownerQuery,
  userIdSchema,
} from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const toolSchema = z
  .strictObject({
    name: z.string(),
    title: z.string().optional().openapi({ description: 'What people call it.' }),
    description: z.string(),
    inputSchema: jsonObjectSchema.openapi({ description: 'JSON Schema of the arguments.' }),
    isReadOnly: z.boolean(),
    isDestructive: z.boolean().openapi({ description: 'May take away what was there.' }),
    isIdempotent: z.boolean().openapi({ description: 'The same call again changes nothing more.' }),
    isOpenWorld: z.boolean().openapi({ description: 'Reaches beyond what Loam keeps.' }),
  })
  .openapi('Tool')

const listTools = createRoute({
  method: 'get',
  path: '/agents/{agent}/tools',
  operationId: 'listTools',
  tags: ['tools'],
  summary: 'The tools that an agent has for a user',
  request: {
    params: agentParams,
    query: ownerQuery,
  },
  responses: {
    200: jsonAnswer(
      'The tools.',
      z.strictObject({ items: z.array(toolSchema) }).openapi('ToolList'),
    ),
    ...problemResponses,
  },
})

const runTool = createRoute({
  method: 'post',
  path: '/agents/{agent}/tools/{tool}',
  operationId: 'callTool',
  tags: ['tools'],
  summary: 'Call a tool as the model says',
  request: {
    params: agentParams.extend({ tool: identifierSchema(100) }),
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          userId: userIdSchema.optional(),
          senderId: z.string().max(500).optional().openapi({
            description:
              'Who spoke, when the user is a group. A key that is bound to a user speaks as that user alone.',
          }),
          arguments: z
            .union([z.string().max(1024 * 1024), jsonObjectSchema])
            .default({})
            .openapi({ description: 'An object, or its JSON as the model wrote it.' }),
        })
        .openapi('ToolCall'),
    ),
  },
  responses: {
    200: jsonAnswer(
      'What the model is to be told, also when the tool could not do it.',
      z.strictObject({ content: z.string(), isError: z.boolean() }).openapi('ToolResult'),
    ),
    ...problemResponses,
  },
})

/** Tools: GET /agents/{agent}/tools, POST /agents/{agent}/tools/{tool}. */
export function toolRoutes(runtime: Runtime) {
  async function toolsOf(
    key: ApiKey,
    reference: string,
    {
      userId: user,
      senderId,
    }: { readonly userId?: string | undefined; readonly senderId?: string | undefined },
  ): Promise<readonly AgentTool[]> {
    const userId = userOrShared(key, user)
    const sender = senderOf(key, { senderId })
    const agent = await requireAgent(runtime, key, reference)
    return runtime.createTools({
      tenantId: key.tenantId,
      agent,
      userId,
      senderId: sender.senderId,
    })
  }

  return createRoutes()
    .openapi(listTools, async (context) => {
      const { agent } = context.req.valid('param')
      const tools = await toolsOf(context.get('apiKey'), agent, context.req.valid('query'))
      return context.json({ items: describeTools(tools) }, 200)
    })
    .openapi(runTool, async (context) => {
      const { arguments: given, ...caller } = context.req.valid('json')
      const { agent, tool: name } = context.req.valid('param')
      const tools = await toolsOf(context.get('apiKey'), agent, caller)
      if (!tools.some((tool) => tool.name === name)) {
        const names = tools.map((tool) => tool.name).join(', ')
        throw new NotFoundError({
          message: `There is no tool ${JSON.stringify(name)}. There are: ${names}.`,
        })
      }
      const written = typeof given === 'string' ? given : JSON.stringify(given)
      const { logger } = runtime
      const result = await callTool(
        tools,
        { name, arguments: written },
        { signal: clientSignal(context), logger },
      )
      return context.json({ ...result }, 200)
    })
}
