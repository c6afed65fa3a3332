import { ConfigurationError, ConflictError, NotFoundError, generateId } from '@loam/core'
import { hashSecret, isEmbedded } from '@loam/runtime'
import { DEFAULT_TENANT_ID, type ApiKeyStore } from '@loam/storage'
import { openStorage } from '@loam/storage-postgres'
import type { ApiClient } from '../api/api-client.js'
import { route, withQuery } from '../api/route.js'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { oneLine, type Output } from '../output.js'

interface UserKey {
  readonly name: string
  readonly userId: string
  readonly createdAt: string
}

interface Connected {
  readonly client: ApiClient
  readonly output: Output
}

/** Whether the keys are looked after through the API: an embedded store is open to one process, which answers there. */
export function hasOwnStore(options: { readonly url?: string }): boolean {
  if ((options.url ?? process.env['LOAM_URL'] ?? '') !== '') return true
  return isEmbedded(loadConfiguration(process.env, { needsKey: false }).databaseUrl)
}

/** Makes a key that acts for one user, and tells it this once. */
export async function addUserKey(
  { name, userId }: { readonly name: string; readonly userId: string },
  { client, output }: Connected,
): Promise<void> {
  const made = await client.post<UserKey & { readonly secret: string }>('/v1/keys', {
    name,
    userId,
  })
  output.result(made)
  output.say(made.secret)
  output.note(`It acts for the user ${oneLine(userId)} alone, and is told this once.`)
}

/** Lists the keys that are bound to users. */
export async function listUserKeys({ client, output }: Connected): Promise<void> {
  const items: UserKey[] = []
  let cursor: string | undefined
  do {
    const page = await client.get<{
      readonly items: readonly UserKey[]
      readonly nextCursor?: string
    }>(withQuery('/v1/keys', { limit: 200, cursor }))
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  output.result({ items })
  if (items.length === 0) {
    output.say('There is no key for a single user. "loam keys add <name> --user <id>" makes one.')
  }
  for (const { name, userId, createdAt } of items) sayKey({ name, userId, createdAt }, output)
}

/** Ends a key that is bound to a user. */
export async function revokeUserKey(name: string, { client, output }: Connected): Promise<void> {
  const ended = await client.delete<UserKey>(route`/v1/keys/${name}`)
  output.result(ended)
  output.say(`The key ${name} is no longer accepted.`)
}

function sayKey(
  {
    name,
    userId,
    createdAt,
  }: { readonly name: string; readonly userId?: string; readonly createdAt: string },
  output: Output,
): void {
  const whose = userId === undefined ? 'every user' : `the user ${oneLine(userId)}`
  output.say(`${oneLine(name)}  ${createdAt.slice(0, 10)}  acts for ${whose}`)
}

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
    sayKey(
      { name, ...(userId !== undefined && { userId }), createdAt: createdAt.toISOString() },
      output,
    )
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
