import { MAX_JSON_DEPTH, isNestedDeeper, silentLogger } from '@loam/core'
import { createMcpHandler, isJsonContentType, readRequestBody } from '@modelcontextprotocol/server'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js'
import { jsonRpcRefusal, type JsonRpcRefusal } from './json-rpc-refusal.js'

/** How a request is answered. */
export interface AnswerMcpOptions extends McpServerOptions {
  /** Largest body. Default: 10 MiB. */
  readonly maxBodyBytes?: number | undefined
}

const MAX_BODY_BYTES = 10 * 1024 * 1024
const PARSE_ERROR = -32_700

/**
 * Answers one request of streamable HTTP without a session: nothing is kept between two requests, so any process can answer any
 * of them. Clients of the revision 2026-07-28 are served, and those of 2025 and before.
 *
 * Who may send it, and from where, is to be checked before: `tools` are already those of one agent and one user.
 *
 * @throws what reading the body throws, such as when the client goes away.
 */
export async function answerMcpRequest(
  request: Request,
  options: AnswerMcpOptions,
): Promise<Response> {
  const { maxBodyBytes = MAX_BODY_BYTES, logger = silentLogger } = options
  if (request.method !== 'POST') {
    const message = `${request.method} is not allowed here; allowed is POST. There are no sessions and no streams of their own.`
    return refuse({ status: 405, message }, { Allow: 'POST' })
  }
  const contentType = request.headers.get('Content-Type')
  if (!isJsonContentType(contentType) || !isUtf8(contentType)) {
    const message = 'The body must be JSON in UTF-8. Send it with "Content-Type: application/json".'
    return refuse({ status: 415, message })
  }
  const body = await readRequestBody(request, maxBodyBytes)
  if (body.tooLarge) {
    return refuse({ status: 413, message: `The body is larger than ${maxBodyBytes} bytes.` })
  }
  const message = parse(body.text)
  if (message === undefined) {
    return refuse({ status: 400, code: PARSE_ERROR, message: 'The body is not valid JSON.' })
  }
  if (isNestedDeeper(message, MAX_JSON_DEPTH)) {
    const fault = `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`
    return refuse({ status: 400, message: fault })
  }
  if (Array.isArray(message)) {
    // One body could ask for any amount of work, and no revision but that of 2025-03-26 knows them.
    return refuse({ status: 400, message: 'Batches are not supported. Send one message at once.' })
  }
  // Made for this request alone, so that nothing of another caller's can be reached from it.
  const handler = createMcpHandler(() => createMcpServer(options), {
    onerror: ({ name, message: reason }) => {
      logger.debug('mcp-request-refused', { error: { name, message: reason } })
    },
  })
  return await handler.fetch(request, { parsedBody: message })
}

/** Whether a type of content names no other encoding. */
function isUtf8(contentType: string | null): boolean {
  const charset = /;\s*charset="?([^";\s]*)/i.exec(contentType ?? '')?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/** JSON has no undefined, which so stands for a text that is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function refuse(refusal: JsonRpcRefusal, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(jsonRpcRefusal(refusal), { status: refusal.status, headers })
}
