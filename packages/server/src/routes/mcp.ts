import { z, type RouteConfig } from '@hono/zod-openapi'
import { InvalidInputError } from '@loam/core'
import { answerMcpRequest, toolSourceOf } from '@loam/mcp'
import type { Runtime } from '@loam/runtime'
import type { ApiKey } from '@loam/storage'
import { owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { agentReferenceSchema, userIdSchema } from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { toInvalidInput } from '../input-issues.js'
import { MAX_BODY_BYTES } from '../json-body.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { packageVersion } from '../package-version.js'

const querySchema = z.strictObject({ agent: agentReferenceSchema, user: userIdSchema.optional() })

const messageSchema = z.looseObject({ jsonrpc: z.literal('2.0') })

const description: RouteConfig = {
  method: 'post',
  path: '/mcp',
  operationId: 'answerMcp',
  tags: ['tools'],
  summary: 'The tools of an agent for a user, for clients of the Model Context Protocol',
  request: { query: querySchema, body: jsonBody(messageSchema) },
  responses: {
    200: {
      description: 'The answer, as JSON or as server-sent events.',
      content: {
        'application/json': { schema: messageSchema },
        'text/event-stream': { schema: z.string() },
      },
    },
    202: { description: 'A notification was taken.' },
    default: jsonAnswer('Why the request was refused, as an error of JSON-RPC.', messageSchema),
  },
}

/** The Model Context Protocol: POST /mcp, streamable HTTP without sessions. */
export function mcpRoutes(runtime: Runtime) {
  const routes = createRoutes()
  routes.openAPIRegistry.registerPath(description)
  return routes.post('/mcp', async (context) => {
    const key = context.get('apiKey')
    const query = querySchema.safeParse(queryOf(context.req.queries()))
    if (!query.success) throw toInvalidInput(query.error)
    const userId = personOf(key, query.data.user)
    const agent = await requireAgent(runtime, key, query.data.agent)
    const tools = runtime.createTools({ tenantId: key.tenantId, agent, userId })
    const { logger } = runtime
    return await answerMcpRequest(context.req.raw, {
      tools: toolSourceOf(tools, { logger }),
      title: `Loam: ${agent.displayName ?? agent.key}`,
      version: packageVersion(),
      maxBodyBytes: MAX_BODY_BYTES,
      logger,
    })
  })
}

/** A parameter that is there twice is a list, which the schema refuses: of two users none is meant more than the other. */
function queryOf(queries: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(
    Object.entries(queries).map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  )
}

/**
 * Whose memory it is: the key's user, or the one that the URL names. Nobody in particular is refused: a URL in which the user was
 * forgotten would let a model write what one person says where all users read.
 */
function personOf(key: ApiKey, user: string | undefined): string {
  if (user !== undefined && user !== '') return owningUser(key, user)
  if (user === undefined && key.userId !== undefined) return key.userId
  const message = 'Is required: whose memory it is; or use a key that is bound to a user'
  throw new InvalidInputError({ message: `user: ${message}.`, issues: [{ path: 'user', message }] })
}
