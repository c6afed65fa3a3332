import type { ApiRoute } from './api-route.js'

/** A request, as its route has it. */
export interface ApiRequest {
  /** Below the server's address, with its query, without a slash at the beginning. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: FormData
}

/**
 * Puts each field of an input where its route has it: into the path, the query, a header or the body.
 *
 * @throws TypeError for a part of the path that is missing, and for a field that has no place.
 */
export function buildRequest(
  route: ApiRoute,
  input: Readonly<Record<string, unknown>>,
): ApiRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const take = (name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }

  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(name, take(name)))
  const query = new URLSearchParams()
  for (const name of route.query ?? []) {
    const value = take(name)
    if (value !== undefined) query.set(name, textOf(name, value))
  }
  const headers: Record<string, string> = {}
  for (const [header, name] of Object.entries(route.headers ?? {})) {
    const value = take(name)
    if (value !== undefined) headers[header] = textOf(name, value)
  }

  const search = query.size > 0 ? `?${query.toString()}` : ''
  const request = { path: `${path.slice(1)}${search}`, headers }
  if (route.body === 'form') return { ...request, form: toForm(rest) }
  if (route.body === 'json') return { ...request, json: Object.fromEntries(rest) }
  const [unknown] = rest.keys()
  if (unknown === undefined) return request
  throw new TypeError(`There is no field ${JSON.stringify(unknown)} here.`)
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`${name} must be a text, a number, true or false.`)
}

function encode(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${name} must be a text that is not empty.`)
  }
  // A URL swallows these two, however they are written.
  if (value === '.' || value === '..') throw new TypeError(`${name} must not be "${value}".`)
  return encodeURIComponent(value)
}

function toForm(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (value instanceof Blob) form.set(name, value)
    else if (value instanceof Uint8Array) form.set(name, new Blob([Uint8Array.from(value)]))
    else form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
