import type { ApiRoute } from './api-route.js'
import { buildRequest } from './build-request.js'
import { createChat, type Chat } from './chat.js'
import { routes } from './generated/routes.js'
import type { Methods, RequestOptions } from './methods.js'
import { parseObject } from './read-json.js'
import { isRepeatable, nameForRepetition } from './repeatable.js'
import { readEvents } from './server-sent-events.js'
import { createTransport, type Transport, type TransportOptions } from './transport.js'

/** See `TransportOptions`. */
export interface ClientOptions extends TransportOptions {}

/** All that the API can do: a method for each operation, by the operation's id, and chat. */
export interface LoamClient extends Methods, Chat {}

/**
 * Makes a client of Loam's API.
 *
 * A method takes the fields of path, query and body side by side, and gives the answer as it is described at
 * `/openapi.json`. Requests that were refused for want of capacity are sent again when the server says that they may be;
 * those whose answer was lost, when that does nothing twice.
 *
 * @throws TypeError when `url` is no address of http or https, or `apiKey` cannot be one.
 *
 * @example
 * const loam = createClient({ url: 'http://127.0.0.1:7420', apiKey: process.env.LOAM_API_KEY })
 * const { results } = await loam.searchMemory({ agent: 'helper', userId: 'ana', query: 'peanuts' })
 */
export function createClient(options: ClientOptions): LoamClient {
  const send = createTransport(options)
  const methods = Object.entries<ApiRoute>(routes).map(([name, route]) => [
    name,
    createMethod(send, name, route),
  ])
  return { ...(Object.fromEntries(methods) as Methods), ...createChat(send) }
}

function createMethod(send: Transport, name: string, route: ApiRoute) {
  const request = (input: Readonly<Record<string, unknown>>, { signal }: RequestOptions) =>
    send({
      ...buildRequest(route, nameForRepetition(name, input)),
      method: route.method,
      signal,
      isRepeatable: isRepeatable(name),
      isUnhurried: route.answer === 'events',
      isStreamed: route.answer === 'events',
    })
  if (route.answer === 'events') {
    return async function* events(input = {}, options: RequestOptions = {}) {
      yield* readEvents(await request(input, options), options)
    }
  }
  return async (input = {}, options: RequestOptions = {}) => {
    const response = await request(input, options)
    return route.answer === 'json'
      ? parseObject(await response.text(), response)
      : new Uint8Array(await response.arrayBuffer())
  }
}
