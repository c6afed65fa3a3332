import type { ApiRoute } from '../src/api-route.js'
import type { ApiDescription, ApiOperation, ApiSchema } from './describe-api.js'

/** Speaks a protocol that has clients of its own. */
const NOT_OF_THE_CLIENT = new Set(['answerMcp'])

/** How each operation is requested, by its id, as the client's table has it. */
export function routesOf({ paths, components }: ApiDescription): Record<string, ApiRoute> {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        const { operationId } = operation
        if (operationId === undefined || NOT_OF_THE_CLIENT.has(operationId)) return []
        return [[operationId, routeOf({ method, path, operation, schemas: components.schemas })]]
      }),
    ),
  )
}

function routeOf(described: {
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
  readonly schemas: Readonly<Record<string, ApiSchema>>
}): ApiRoute {
  const { method, path, operation, schemas } = described
  const query = namesIn(operation, 'query')
  const headers = namesIn(operation, 'header')
  const content = operation.requestBody?.content
  refuseAmbiguity(operation, schemas)
  return {
    method: method as ApiRoute['method'],
    path,
    ...(query.length > 0 && { query }),
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, camelCased(name)])),
    }),
    ...(content && { body: 'multipart/form-data' in content ? 'form' : 'json' }),
    answer: answerOf(operation),
  }
}

function answerOf({ operationId, responses }: ApiOperation): ApiRoute['answer'] {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.keys(content))
  if (types.includes('application/json')) return 'json'
  if (types.includes('text/event-stream')) return 'events'
  if (types.length > 0) return 'bytes'
  throw new Error(`${operationId} is described without an answer.`)
}

function camelCased(header: string): string {
  return header.toLowerCase().replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function namesIn({ parameters = [] }: ApiOperation, place: string): readonly string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
}

/** An input has one field of a name, so path, query and body must not share one. */
function refuseAmbiguity(
  operation: ApiOperation,
  schemas: Readonly<Record<string, ApiSchema>>,
): void {
  const names = [
    ...namesIn(operation, 'path'),
    ...namesIn(operation, 'query'),
    ...namesIn(operation, 'header').map(camelCased),
    ...Object.values(operation.requestBody?.content ?? {})
      .slice(0, 1)
      .flatMap(({ schema }) => {
        const shape = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
        return Object.keys(shape?.properties ?? {})
      }),
  ]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`${operation.operationId} takes two values of the name "${twice}".`)
  }
}
