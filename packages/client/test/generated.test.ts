import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { describeApi } from './describe-api.js'
import { routesOf } from './routes-of.js'

const BANNER =
  '// Made from the description of the API: `npx vitest run --project client --update`.\n\n'

it('has the types of the API as it is described', async () => {
  const document = (await describeApi()) as unknown as OpenAPI3
  const types = await openapiTypescript(document, {
    defaultNonNullable: false,
    transform: (schema) =>
      schema.format === 'binary'
        ? ts.factory.createUnionTypeNode(
            ['Blob', 'Uint8Array'].map((name) => ts.factory.createTypeReferenceNode(name)),
          )
        : undefined,
  })
  await expect(`${BANNER}${astToString(types)}`).toMatchFileSnapshot('../src/generated/api.ts')
})

it('has the routes of the API as it is described', async () => {
  const routes = JSON.stringify(routesOf(await describeApi()), null, 2)
  const code = `import type { ApiRoute } from '../api-route.js'\n\n/** How each operation of the API is requested. */\nexport const routes = ${routes} as const satisfies Readonly<Record<string, ApiRoute>>\n`
  await expect(`${BANNER}${code}`).toMatchFileSnapshot('../src/generated/routes.ts')
})
