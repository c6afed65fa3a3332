import { OpenAPIHono } from '@hono/zod-openapi'
import { createOutageLog, type OutageLog } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { accessLog } from './access-log.js'
import type { ApiEnvironment } from './api-environment.js'
import { authenticate } from './authenticate.js'
import { allowOrigins } from './cors.js'
import { toInvalidInput } from './input-issues.js'
import { limitBody, readJsonBody } from './json-body.js'
import { createRouteCheck } from './known-routes.js'
import { logFailure } from './log-failure.js'
import { isMcpPath, toMcpRefusal } from './mcp-refusals.js'
import { checkMcpHost } from './mcp-hosts.js'
import { isOpenAiPath, toOpenAiError } from './openai-errors.js'
import { openApiDocument, type OpenApiDocument } from './openapi-document.js'
import { toProblemAnswer, type Problem } from './problem.js'
import { checkUrl, encodedPath } from './request-url.js'
import { agentLinkRoutes } from './routes/agent-links.js'
import { agentSkillRoutes } from './routes/agent-skills.js'
import { agentRoutes } from './routes/agents.js'
import { chatCompletionRoutes } from './routes/chat-completions.js'
import { contextFileRoutes } from './routes/context-files.js'
import { contextRoutes } from './routes/context.js'
import { deadLetterRoutes } from './routes/dead-letters.js'
import { documentRoutes } from './routes/documents.js'
import { episodeRoutes } from './routes/episodes.js'
import { healthRoutes } from './routes/health.js'
import { keyRoutes } from './routes/keys.js'
import { mcpRoutes } from './routes/mcp.js'
import { messageRoutes } from './routes/messages.js'
import { modelRoutes } from './routes/models.js'
import { runRoutes } from './routes/runs.js'
import { searchRoutes } from './routes/search.js'
import { sessionRoutes } from './routes/sessions.js'
import { skillFileRoutes } from './routes/skill-files.js'
import { skillGrantRoutes } from './routes/skill-grants.js'
import { skillRecordRoutes } from './routes/skill-records.js'
import { skillUploadRoutes } from './routes/skill-upload.js'
import { skillRoutes } from './routes/skills.js'
import { slashRoutes } from './routes/slash.js'
import { statusRoutes } from './routes/status.js'
import { summonRoutes } from './routes/summons.js'
import { systemConfigRoutes } from './routes/system-configs.js'
import { toolRoutes } from './routes/tools.js'
import { userMemoryRoutes } from './routes/user-memory.js'

/** The HTTP application: give requests to its `fetch`, or to `request` in a test. */
export type Api = OpenAPIHono<ApiEnvironment>

/**
 * The HTTP API of a runtime, as a Hono application that listens nowhere by itself.
 *
 * Everything under `/v1` needs a key, save health and the description of the API, which also stand at the root.
 */
export function createApi(runtime: Runtime): Api {
  const api = createApplication(runtime)
  const storageOutage = createStorageOutageLog(runtime)
  const checkRoute = createRouteCheck(api)
  if (runtime.config.corsOrigins.length > 0) api.use('/v1/*', allowOrigins(runtime.config))
  mountOpenRoutes(api, runtime)
  const heedStorage: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
    await next()
    if (context.error === undefined) storageOutage.worked('storage')
  }
  for (const path of ['/v1/*', '/mcp']) api.use(path, heedStorage)
  api.use('/mcp', checkMcpHost(runtime.config), authenticate(runtime))
  api.route('/', mcpRoutes(runtime))
  api.use('/v1/*', authenticate(runtime), async (context, next) => {
    checkRoute(context)
    await next()
  })
  api.route('/v1', skillUploadRoutes(runtime))
  api.use('/v1/*', limitBody, readJsonBody)
  const routes = [
    agentRoutes,
    agentLinkRoutes,
    contextFileRoutes,
    summonRoutes,
    contextRoutes,
    chatCompletionRoutes,
    modelRoutes,
    skillRoutes,
    skillFileRoutes,
    skillRecordRoutes,
    skillGrantRoutes,
    agentSkillRoutes,
    slashRoutes,
    toolRoutes,
    systemConfigRoutes,
    sessionRoutes,
    messageRoutes,
    runRoutes,
    documentRoutes,
    searchRoutes,
    episodeRoutes,
    userMemoryRoutes,
    statusRoutes,
    deadLetterRoutes,
    keyRoutes,
  ]
  for (const createRoutes of routes) api.route('/v1', createRoutes(runtime))
  api.notFound((context) => {
    checkRoute(context)
    // Reached only by a route that passed a request on and left it unanswered, which none does.
    return context.body(null, 500)
  })
  answerErrors(api, runtime, storageOutage)
  return api
}

function createStorageOutageLog({ logger }: Runtime): OutageLog {
  return createOutageLog({
    logger,
    lost: 'Requests fail, since the database does not answer.',
    back: 'Requests reach the database again.',
  })
}

/** Health alone, for a process that serves no API. */
export function createHealthApi(runtime: Runtime): Api {
  const api = createApplication(runtime)
  const checkRoute = createRouteCheck(api)
  api.route('/', healthRoutes(runtime))
  api.notFound((context) => {
    checkRoute(context)
    return context.body(null, 500)
  })
  answerErrors(api, runtime)
  return api
}

/** What every application does with a request before it looks at its route. */
function createApplication(runtime: Runtime): Api {
  const api: Api = new OpenAPIHono<ApiEnvironment>({
    getPath: encodedPath,
    defaultHook: (result) => {
      if (!result.success) throw toInvalidInput(result.error)
    },
  })
  api.use(
    requestId({ generator: () => runtime.generateId() }),
    accessLog(runtime.logger),
    secureHeaders({ strictTransportSecurity: false }),
    async (context, next) => {
      context.header('Cache-Control', 'no-store')
      await next()
    },
    checkUrl,
  )
  return api
}

function mountOpenRoutes(api: Api, runtime: Runtime): void {
  let document: OpenApiDocument | undefined
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of the tenant; one that is bound to a user acts for that user alone.',
  })
  for (const base of ['/', '/v1']) {
    api.route(base, healthRoutes(runtime))
    api.get(`${base === '/' ? '' : base}/openapi.json`, (context) =>
      context.json((document ??= openApiDocument(api))),
    )
  }
}

function answerErrors(
  api: Api,
  runtime: Runtime,
  storageOutage: OutageLog = createStorageOutageLog(runtime),
): void {
  api.onError((error, context) => {
    const id = context.get('requestId') ?? runtime.generateId()
    const { problem, headers } = toProblemAnswer(error, id)
    if (problem.code === 'storage_unavailable') storageOutage.failed('storage', error)
    else logFailure(runtime.logger, problem, error)
    const { body, contentType } = inTheWordsOf(context.req.path, problem)
    return context.body(JSON.stringify(body), problem.status as 500, {
      ...headers,
      'Content-Type': contentType,
    })
  })
}

/** A problem as the clients of a path know problems. */
function inTheWordsOf(path: string, problem: Problem) {
  if (isOpenAiPath(path)) return { body: toOpenAiError(problem), contentType: 'application/json' }
  if (isMcpPath(path)) return { body: toMcpRefusal(problem), contentType: 'application/json' }
  return { body: problem, contentType: 'application/problem+json' }
}
