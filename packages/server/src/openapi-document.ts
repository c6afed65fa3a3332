import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiEnvironment } from './api-environment.js'

/** A description of an API in OpenAPI 3.1. */
export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** The OpenAPI 3.1 description of all routes that the application has. */
export function openApiDocument(api: OpenAPIHono<ApiEnvironment>): OpenApiDocument {
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Loam',
      version: '1',
      description: 'The context and memory layer for language-model agents.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
  })
  return {
    ...document,
    // A router's pattern such as `:path{.+}` is a plain parameter here.
    paths: Object.fromEntries(
      Object.entries(document.paths ?? {}).map(([path, item]) => [
        path.replaceAll(/:(\w+)\{[^}]+\}/g, '{$1}'),
        item,
      ]),
    ),
  }
}
