import type { ApiRoute } from './api-route.js'

/** A request that is ready to be sent. */
export interface ApiRequest {
  /** Below the server's address, with its query, without a slash at the beginning. */
  readonly path: string
  readonly body?: { readonly json: unknown } | { readonly form: FormData }
}

/** Puts each field of an input where its route has it: into the path, the query or the body. */
export function buildRequest(route: ApiRoute, input: Readonly<Record<string, unknown>>): ApiRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const take = (name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }

  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name)
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value)
    throw new TypeError(`${name} must be a text that is not empty.`)
  })
  const query = new URLSearchParams()
  for (const name of route.query ?? []) {
    const value = take(name)
    if (value !== undefined) query.set(name, String(value))
  }
  const place = `${path.slice(1)}${query.size > 0 ? `?${query}` : ''}`

  if (route.body === 'form') return { path: place, body: { form: toForm(rest) } }
  if (route.body === 'json') return { path: place, body: { json: Object.fromEntries(rest) } }
  const [unknown] = rest.keys()
  if (unknown !== undefined) throw new TypeError(`There is no field ${JSON.stringify(unknown)} here.`)
  return { path: place }
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
