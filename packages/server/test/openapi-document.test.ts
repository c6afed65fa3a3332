import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from './open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

const describeApi = async () => (await test.send('GET', '/openapi.json', { key: null })).body

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const result = await validator.validate(await describeApi())
    expect(result).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('lists every route of the application', async () => {
    const { paths } = await describeApi()
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routed = test.api.routes
      .filter(({ method, path }) => method !== 'ALL' && !path.endsWith('/openapi.json'))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]+\})?/g, '{$1}')}`)
    expect(described.toSorted()).toStrictEqual([...new Set(routed)].toSorted())
    expect(described).toHaveLength(89)
  })

  it('tells of the tags of context files, wherever If-Match asks for one', async () => {
    const { paths } = await describeApi()
    const place = '/v1/agents/{agent}/files/{name}'
    for (const path of [place, '/v1/agents/{agent}/users/{userId}/files/{name}']) {
      const { get, put } = paths[path]
      expect(put.parameters).toContainEqual(expect.objectContaining({ name: 'if-match' }))
      expect(get.responses['200'].headers).toHaveProperty('ETag')
      expect(put.responses['200'].headers).toHaveProperty('ETag')
    }
  })

  it('asks for a key everywhere but for health', async () => {
    const { paths, security, components } = await describeApi()
    expect(security).toStrictEqual([{ key: [] }])
    expect(components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
    const open = Object.entries<{ get?: { security?: unknown[] } }>(paths)
      .filter(([, { get }]) => get?.security?.length === 0)
      .map(([path]) => path)
    expect(open.toSorted()).toStrictEqual([
      '/health/live',
      '/health/ready',
      '/v1/health/live',
      '/v1/health/ready',
    ])
  })

  it('refuses unknown fields in every body but that of OpenAI, whose other fields are for the model', async () => {
    const { paths, components } = await describeApi()
    const bodies = Object.values<
      Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>
    >(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ requestBody }) => (requestBody ? Object.values(requestBody.content) : []))
      .filter(({ schema }) => schema.$ref !== undefined)
      .map(({ schema }) => components.schemas[schema.$ref.split('/').at(-1) ?? ''])
    expect(bodies).toHaveLength(31)
    for (const schema of bodies.filter(
      ({ description }) => !description?.startsWith('As in the API of OpenAI'),
    ))
      expect(schema).toMatchObject({ additionalProperties: false })
  })

  it('is the same below /v1', async () => {
    const { body, status } = await test.send('GET', '/v1/openapi.json', { key: null })
    expect(status).toBe(200)
    expect(body).toStrictEqual(await describeApi())
  })
})
