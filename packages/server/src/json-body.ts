import { InvalidInputError } from '@loam/core'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser'

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

/** Reads the body as UTF-8 JSON, and says what and where it is not. */
export const readJsonBody: MiddlewareHandler = async (context, next) => {
  if (METHODS_WITH_BODY.has(context.req.method)) {
    checkMediaType(context)
    const value = parseJson(decodeUtf8(await context.req.arrayBuffer()))
    // The validators ask for the JSON again; this keeps a body of megabytes from being decoded and parsed twice.
    context.req.json = <Value>() => Promise.resolve(value as Value)
  }
  await next()
}

function checkMediaType(context: Context): void {
  const [mediaType = '', ...parameters] = (context.req.header('Content-Type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8)
  const isUtf8 = charset === undefined || charset.replaceAll('"', '') === 'utf-8'
  if (mediaType === 'application/json' && isUtf8) return
  throw new HTTPException(415, {
    message: 'The body must be JSON in UTF-8. Send it with "Content-Type: application/json".',
  })
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
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refusal(describeFault(text), cause)
  }
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

function refusal(message: string, cause: unknown): InvalidInputError {
  return new InvalidInputError({ message, issues: [{ path: '', message }], cause })
}
