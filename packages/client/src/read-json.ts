import { ApiError } from './api-error.js'

type Json = Readonly<Record<string, unknown>>

/** The object that a text of an answer is, as JSON. @throws ApiError of the code `unreadable` when it is none. */
export function parseObject(text: string, response: Pick<Response, 'status'>): Json {
  const object = findObject(text)
  if (object === undefined) throw unreadable(response, 'an object in JSON')
  return object
}

/** The object that a text is, as JSON; undefined when it is none. */
export function findObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fault of an answer that is not what the API gives; `expected` says what that is. */
export function unreadable({ status }: Pick<Response, 'status'>, expected: string): ApiError {
  return new ApiError({
    status,
    code: 'unreadable',
    message: `The server answered ${status} with something other than ${expected}. Is url the address of Loam, with nothing in between that answers by itself?`,
  })
}
