import { createHash, randomInt } from 'node:crypto'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, type GenerateId, type Logger } from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { makeHome } from './home-folder.js'
import { API_KEY } from './load-config.js'

const KEY_FILE = 'api-key'
const GENERATED_LENGTH = 40
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Names under which the installation's own key is stored: one that was given, and one that was generated. */
const GIVEN = 'environment'
const GENERATED = 'embedded'
/** Names that the installation gives keys, and takes away again. */
export const OWN_KEY_NAMES: ReadonlySet<string> = new Set([GIVEN, GENERATED])

/** What is stored of a secret: SHA-256 in lower-case hex. Enough for random keys, which cannot be guessed by trying. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** A new secret that nobody can guess. */
export function generateSecret(): string {
  return `loam_${randomText(GENERATED_LENGTH)}`
}

/** What access is set up with. */
export interface AccessOptions {
  readonly home: string
  readonly apiKey: string | undefined
  readonly generateId: GenerateId
  /** Whether other processes may use the same store, so that its keys are not this one's to change. */
  readonly isShared: boolean
  readonly logger: Logger
}

/** Makes sure that the default tenant exists, which all that has no tenant of its own belongs to. */
export async function ensureTenant(storage: Pick<Storage, 'transaction'>): Promise<void> {
  await storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, ({ tenants }) =>
    tenants.ensure({ slug: 'default', name: 'Default' }),
  )
}

/**
 * Makes sure that the installation's key opens the default tenant. Returns the key.
 *
 * Without a given key, the one in `<home>/api-key` is used; it is generated at the first start. An embedded store is
 * opened by the key of the process that has it, and by no earlier one. In a shared store the first key is stored, and
 * none is ever replaced: what clients use would stop working because some process was started with another.
 *
 * @throws ConfigurationError when a shared store has keys, and this is none of them.
 */
export async function ensureAccess(
  storage: Pick<Storage, 'transaction' | 'system'>,
  options: AccessOptions,
): Promise<string> {
  const secret = options.apiKey ?? (await keptKey(options.home))
  await ensureTenant(storage)
  if (await storage.system.apiKeys.findByHash(hashSecret(secret))) return secret
  if (!options.isShared) await replaceKey(storage, secret, options)
  else if (!(await addFirstKey(storage, secret, options))) throw unknownKey()
  return secret
}

async function replaceKey(
  storage: Pick<Storage, 'transaction'>,
  secret: string,
  { apiKey, generateId, logger }: AccessOptions,
): Promise<void> {
  const name = apiKey === undefined ? GENERATED : GIVEN
  const earlier = await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    async ({ apiKeys }) => {
      const own = (await apiKeys.list()).filter((key) => OWN_KEY_NAMES.has(key.name))
      for (const key of own) if (key.name !== name) await apiKeys.delete(key.id)
      await apiKeys.put({ id: generateId(), name, hash: hashSecret(secret) })
      return own.length
    },
  )
  if (earlier > 0) {
    logger.warn(
      'The store has another key than at its last start; the earlier one opens it no longer.',
    )
  }
}

/** Whether the key could be stored as the first. */
async function addFirstKey(
  storage: Pick<Storage, 'transaction' | 'system'>,
  secret: string,
  { generateId }: AccessOptions,
): Promise<boolean> {
  const hash = hashSecret(secret)
  const added = await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    async ({ apiKeys }) => {
      const keys = await apiKeys.list()
      if (keys.some(({ userId }) => userId === undefined)) return undefined
      return await apiKeys.add({ id: generateId(), name: GIVEN, hash })
    },
  )
  // Another process may have been the first meanwhile, with this key or with another.
  return added !== undefined || (await storage.system.apiKeys.findByHash(hash)) !== undefined
}

/** The error for a key that a shared store does not know. */
export function unknownKey(): ConfigurationError {
  const message =
    'This is none of the keys that the database accepts. Set the one that its API was first started with (if it never was, start it: "loam serve"); or run "loam keys add <name>" with this one in LOAM_API_KEY to have it accepted beside the others, and "loam keys revoke <name>" to end another.'
  return new ConfigurationError({
    message: `LOAM_API_KEY: ${message}`,
    issues: [{ path: 'LOAM_API_KEY', message }],
  })
}

async function keptKey(home: string): Promise<string> {
  const path = join(home, KEY_FILE)
  await makeHome(home)
  const generated = generateSecret()
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
