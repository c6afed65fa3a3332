import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from '@loam/core'
import { checkConfig, checkConfigKey, type Runtime } from '@loam/runtime'
import type { ApiKey, SystemConfig } from '@loam/storage'
import { everyUser, requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { answeredInstantSchema, noQuery, textSchema } from '../fields.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const configParams = z.strictObject({
  key: z.string().max(200).openapi({ example: 'skills.slash_commands.prefix' }),
})
const configSchema = z
  .strictObject({ key: z.string(), value: z.string(), updatedAt: answeredInstantSchema })
  .openapi('SystemConfig')

const listConfigs = createRoute({
  method: 'get',
  path: '/system-configs',
  operationId: 'listSystemConfigs',
  tags: ['settings'],
  summary: 'The settings that the tenant has made, by key',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(
      'The settings.',
      z.strictObject({ items: z.array(configSchema) }).openapi('SystemConfigs'),
    ),
    ...problemResponses,
  },
})

const getConfig = createRoute({
  method: 'get',
  path: '/system-configs/{key}',
  operationId: 'getSystemConfig',
  tags: ['settings'],
  summary: 'Read a setting',
  request: { params: configParams, query: noQuery },
  responses: { 200: jsonAnswer('The setting.', configSchema), ...problemResponses },
})

const putConfig = createRoute({
  method: 'put',
  path: '/system-configs/{key}',
  operationId: 'putSystemConfig',
  tags: ['settings'],
  summary: 'Make a setting',
  request: {
    params: configParams,
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({ value: z.union([textSchema(1_000), z.boolean(), z.number()]) })
        .openapi('SystemConfigWrite'),
    ),
  },
  responses: { 200: jsonAnswer('The setting.', configSchema), ...problemResponses },
})

const deleteConfig = createRoute({
  method: 'delete',
  path: '/system-configs/{key}',
  operationId: 'deleteSystemConfig',
  tags: ['settings'],
  summary: 'Take a setting away, so that its default holds again',
  request: { params: configParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'Whether there was one.',
      z.strictObject({ deleted: z.boolean() }).openapi('SystemConfigDeleted'),
    ),
    ...problemResponses,
  },
})

/** Settings of the tenant: GET /system-configs, GET, PUT and DELETE /system-configs/{key}. */
export function systemConfigRoutes({ storage }: Runtime) {
  return createRoutes()
    .openapi(listConfigs, async (context) => {
      const configs = await storage.transaction(
        accessOf(context.get('apiKey')),
        ({ systemConfigs }) => systemConfigs.list(),
        { readOnly: true },
      )
      return context.json({ items: configs.map(toAnswer) }, 200)
    })
    .openapi(getConfig, async (context) => {
      const access = accessOf(context.get('apiKey'))
      const { key } = context.req.valid('param')
      checkConfigKey(key)
      const config = await storage.transaction(
        access,
        ({ systemConfigs }) => systemConfigs.find(key),
        { readOnly: true },
      )
      if (config) return context.json(toAnswer(config), 200)
      throw new NotFoundError({ message: `The setting ${key} was not made; its default holds.` })
    })
    .openapi(putConfig, async (context) => {
      const access = accessOf(context.get('apiKey'))
      const { key } = context.req.valid('param')
      const value = String(context.req.valid('json').value)
      checkConfig(key, value)
      const config = await storage.transaction(access, ({ systemConfigs }) =>
        systemConfigs.put(key, value),
      )
      return context.json(toAnswer(config), 200)
    })
    .openapi(deleteConfig, async (context) => {
      const access = accessOf(context.get('apiKey'))
      const { key } = context.req.valid('param')
      checkConfigKey(key)
      const deleted = await storage.transaction(access, ({ systemConfigs }) =>
        systemConfigs.delete(key),
      )
      return context.json({ deleted }, 200)
    })
}

function accessOf(key: ApiKey) {
  requireEveryUser(key, 'read or change the settings of the tenant')
  return everyUser(key)
}

function toAnswer({ key, value, updatedAt }: SystemConfig): z.infer<typeof configSchema> {
  return { key, value, updatedAt: updatedAt.toISOString() }
}
