import { createHash, randomInt } from 'node:crypto'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, type GenerateId } from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { makeHome } from './home-folder.js'
import { API_KEY } from './load-config.js'

const KEY_FILE = 'api-key'
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
  await makeHome(home)
  const generated = `loam_${randomText(GENERATED_LENGTH)}`
  try {
    await writeFile(path, `${generated}\n`, { mode: 0o600, flag: 'wx' })
    return generated
  } catch (error) {
    if (!isCode(error, 'EEXIST')) {
      // A full disk leaves an empty file behind.
      await rm(path, { force: true }).catch(() => {})
      throw unusableKey(`The key cannot be written to ${path}`, error, WRITABLE)
    }
  }
  return await readKey(path)
}

async function readKey(path: string): Promise<string> {
  try {
    const found = await stat(path)
    // Reading a pipe or a device might never end.
    if (!found.isFile()) throw unusableKey(`${path} is not a file`)
    const text = found.size <= MAX_FILE_BYTES ? await readFile(path, 'latin1') : ''
    const key = text.replace(/\r?\n$/, '')
    if (!API_KEY.test(key)) {
      throw unusableKey(`${path} holds no key, which is 16 to 512 printable ASCII characters`)
    }
    // It may have been copied by something that does not keep modes.
    if ((found.mode & 0o077) !== 0) await chmod(path, 0o600)
    return key
  } catch (error) {
    if (ConfigurationError.isInstance(error)) throw error
    throw unusableKey(`${path} cannot be read and kept from others`, error)
  }
}

/** The longest key and a line break. */
const MAX_FILE_BYTES = 514

const REPLACEABLE = 'Delete it to have a new one made, or set LOAM_API_KEY.'
const WRITABLE = 'Set LOAM_HOME to a folder that this process may write to, or set LOAM_API_KEY.'

function unusableKey(fault: string, cause?: unknown, cure = REPLACEABLE): ConfigurationError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  const message = `${fault}${code}. ${cure}`
  return new ConfigurationError({ message, issues: [{ path: 'LOAM_API_KEY', message }], cause })
}

function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
