import { InvalidInputError, MAX_JSON_DEPTH, isNestedDeeper } from '@loam/core'
import type { Context, HonoRequest, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { checkBodyHeaders } from './body-headers.js'

/** Largest body of a request, in bytes: 10 MiB. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Stops reading a body as soon as it is larger than `MAX_BODY_BYTES`. */
export const limitBody: MiddlewareHandler = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new HTTPException(413, {
      message: `The body is larger than ${MAX_BODY_BYTES} bytes. Send it in several requests.`,
    })
  },
})

/** Reads the body as UTF-8 JSON, and says what and where it is not; refuses one with a method that has none. */
export const readJsonBody: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'POST' && (await hasNothing(context.req))) {
    // Routes that ask for nothing may be sent nothing; the others say what they lack.
    context.req.raw.headers.set('Content-Type', 'application/json')
    context.req.json = <Value>() => Promise.resolve({} as Value)
  } else if (METHODS_WITH_BODY.has(context.req.method)) {
    checkBodyHeaders(context)
    const value = parseJson(decodeUtf8(await context.req.arrayBuffer()))
    // The validators ask for the JSON again; this keeps a body of megabytes from being decoded and parsed twice.
    context.req.json = <Value>() => Promise.resolve(value as Value)
  } else {
    await refuseBody(context)
  }
  await next()
}

async function refuseBody({ req }: Context): Promise<void> {
  if (!(await hasBody(req))) return
  throw refusal(
    `${req.method} takes no body. Give what it needs in the query of the URL, such as ?userId=<user>.`,
  )
}

/** Whether there is no body; many clients name a type for what they do not send. */
async function hasNothing(req: HonoRequest): Promise<boolean> {
  return !(await hasBody(req))
}

async function hasBody(req: HonoRequest): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return (await req.arrayBuffer()).byteLength > 0
  }
  // No `Request` of these methods has a body; only the headers tell of one.
  const isChunked = req.header('Transfer-Encoding') !== undefined
  return isChunked || Number(req.header('Content-Length') ?? 0) > 0
}

function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refusal(
      'The body is not valid UTF-8. Send JSON text, and refer to binary files by URL.',
      cause,
    )
  }
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refusal(describeFault(text), cause)
  }
  if (!isNestedDeeper(value, MAX_JSON_DEPTH)) return value
  throw refusal(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`)
}

function describeFault(text: string): string {
  const fault = firstFault(text)
  if (fault === undefined) return 'The body is not valid JSON.'
  const before = text.slice(0, fault.offset).split('\n')
  const line = before.length
  const column = (before.at(-1)?.length ?? 0) + 1
  const reason = printParseErrorCode(fault.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return `The body is not valid JSON: ${reason} at line ${line}, column ${column} (position ${fault.offset}).`
}

/** `JSON.parse` tells the position of only some faults. */
function firstFault(text: string): ParseError | undefined {
  const faults: ParseError[] = []
  try {
    parse(text, faults, { disallowComments: true })
  } catch {
    // It recurses, and gives up on thousands of brackets.
    return undefined
  }
  return faults.toSorted((left, right) => left.offset - right.offset)[0]
}

function refusal(message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({ message, issues: [{ path: '', message }], cause })
}
