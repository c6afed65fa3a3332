import { ConfigurationError, ConflictError, NotFoundError, generateId } from '@loam/core'
import { hashSecret } from '@loam/runtime'
import { DEFAULT_TENANT_ID, type ApiKeyStore } from '@loam/storage'
import { openStorage } from '@loam/storage-postgres'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import type { Output } from '../output.js'

/** Lists the keys that open the API, by name; the secrets themselves are stored nowhere. */
export async function listKeys(output: Output): Promise<void> {
  const keys = await withKeys((apiKeys) => apiKeys.list())
  output.result({
    items: keys.map(({ name, userId, createdAt }) => ({
      name,
      ...(userId !== undefined && { userId }),
      createdAt,
    })),
  })
  if (keys.length === 0) output.say('There is no key yet; the first start of the API stores it.')
  for (const { name, userId, createdAt } of keys) {
    const whose = userId === undefined ? 'every user' : `the user ${userId}`
    output.say(`${name}  ${createdAt.toISOString().slice(0, 10)}  acts for ${whose}`)
  }
}

/** Has the key in `LOAM_API_KEY` accepted, beside those that are. */
export async function addKey(name: string, output: Output): Promise<void> {
  const { apiKey } = loadConfiguration()
  if (apiKey === undefined) {
    const message = 'Set LOAM_API_KEY to the key that is to be accepted.'
    throw new ConfigurationError({ message, issues: [{ path: 'LOAM_API_KEY', message }] })
  }
  const key = { id: generateId(), name, hash: hashSecret(apiKey) }
  const added = await withKeys((apiKeys) => apiKeys.add(key))
  if (added === undefined) {
    throw new ConflictError({
      message: `There is a key ${name} already, or this one under another name. See "loam keys list".`,
    })
  }
  output.result({ name })
  output.say(`The key in LOAM_API_KEY is accepted from now on, as ${name}.`)
}

/** Ends a key: whoever sends it is turned away from now on. */
export async function revokeKey(name: string, output: Output): Promise<void> {
  const left = await withKeys(async (apiKeys) => {
    const keys = await apiKeys.list()
    const key = keys.find((one) => one.name === name)
    if (key === undefined) {
      throw new NotFoundError({ message: `There is no key ${name}. See "loam keys list".` })
    }
    await apiKeys.delete(key.id)
    return keys.length - 1
  })
  output.result({ name, left })
  output.say(`The key ${name} is no longer accepted.`)
  if (left === 0) output.note('It was the last one; the next start of the API stores its own.')
}

/** Keys are the operator's, who has the database; no key of the API may change them. */
async function withKeys<Result>(use: (apiKeys: ApiKeyStore) => Promise<Result>): Promise<Result> {
  const config = loadConfiguration(process.env, { needsKey: false })
  await using storage = await openStorage(config.databaseUrl, { logger: createLogger('warn') })
  return await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    async ({ tenants, apiKeys }) => {
      await tenants.ensure({ slug: 'default', name: 'Default' })
      return await use(apiKeys)
    },
  )
}
