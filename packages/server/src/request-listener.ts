import type { RequestListener } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { InvalidInputError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { HTTPException } from 'hono/http-exception'
import type { Api } from './api.js'
import { toProblemAnswer } from './problem.js'

/** Hands the requests of a Node server to the application, and answers those that have no URL which it could read. */
export function createRequestListener(api: Api, runtime: Runtime): RequestListener {
  return getRequestListener(api.fetch, {
    errorHandler: (error) => {
      const { body, status, headers } = refuse(toRefusal(error), runtime)
      return new Response(body, { status, headers })
    },
  })
}

/** Answers a request with an `Expect` that is not `100-continue`. */
export function createExpectationListener(runtime: Runtime): RequestListener {
  return (_incoming, outgoing) => {
    const message = 'The server meets no such expectation. Leave the header "Expect" out.'
    const { body, status, headers } = refuse(new HTTPException(417, { message }), runtime)
    outgoing.writeHead(status, headers).end(body)
  }
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error
  const message = `The request has no URL that can be read: ${error.message}. Check its path and its header "Host".`
  return new InvalidInputError({ message, issues: [{ path: 'url', message }], cause: error })
}

function refuse(error: unknown, runtime: Runtime) {
  const requestId = runtime.generateId()
  const { problem, headers } = toProblemAnswer(error, requestId)
  const { status, code } = problem
  runtime.logger[status >= 500 ? 'error' : 'info']('request-refused', { requestId, status, code })
  return {
    body: JSON.stringify(problem),
    status,
    headers: {
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'X-Request-Id': requestId,
    },
  }
}
