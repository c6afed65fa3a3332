import { createHash, randomInt } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, type GenerateId } from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'

const KEY_FILE = 'api-key'
const MIN_SECRET_LENGTH = 16
const GENERATED_LENGTH = 40
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Names under which the installation's own key is stored: one that was given, and one that was generated. */
const GIVEN = 'environment'
const GENERATED = 'embedded'

/** What is stored of a secret: SHA-256 in lower-case hex. Enough for random keys, which cannot be guessed by trying. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Makes sure that the default tenant exists and that the installation's key, and no earlier one of it, opens it. Returns the key.
 *
 * Without a given key, the one in `<home>/api-key` is used; it is generated at the first start.
 */
export async function ensureAccess(
  storage: Pick<Storage, 'transaction'>,
  {
    home,
    apiKey,
    generateId,
  }: {
    readonly home: string
    readonly apiKey: string | undefined
    readonly generateId: GenerateId
  },
): Promise<string> {
  const secret = apiKey ?? (await keptKey(home))
  const name = apiKey === undefined ? GENERATED : GIVEN
  const other = apiKey === undefined ? GIVEN : GENERATED
  await storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, async (stores) => {
    await stores.tenants.ensure({ slug: 'default', name: 'Default' })
    const keys = await stores.apiKeys.list()
    for (const key of keys) if (key.name === other) await stores.apiKeys.delete(key.id)
    await stores.apiKeys.put({ id: generateId(), name, hash: hashSecret(secret) })
  })
  return secret
}

async function keptKey(home: string): Promise<string> {
  const path = join(home, KEY_FILE)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const generated = `loam_${randomText(GENERATED_LENGTH)}`
  try {
    await writeFile(path, `${generated}\n`, { mode: 0o600, flag: 'wx' })
    return generated
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const kept = (await readFile(path, 'utf8')).trim()
  if (kept.length < MIN_SECRET_LENGTH) {
    const message = `${path} holds no key of ${MIN_SECRET_LENGTH} characters or more. Delete the file to have one generated, or set LOAM_API_KEY.`
    throw new ConfigurationError({ message, issues: [{ path: 'LOAM_API_KEY', message }] })
  }
  // It may have been copied by something that does not keep modes.
  await chmod(path, 0o600)
  return kept
}

function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
