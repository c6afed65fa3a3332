import { InvalidInputError, isStorableText } from '@loam/core'

/** Longest path of a memory document, in characters (spec 04, 5.1). */
export const MAX_PATH_LENGTH = 500

const ROOT_DOCUMENT = 'MEMORY.md'
const LEGACY_DOCUMENT = 'MEMORY.json'
const SYSTEM_FOLDER = '_system/'

/**
 * The one spelling of a memory path: `./` and doubled slashes are dropped, `memory.md` in any case becomes `MEMORY.md`.
 *
 * Memory paths are `MEMORY.md`, whatever ends in `.md` below `memory/`, and two that are only read:
 * `MEMORY.json`, and what dreaming writes below `_system/`.
 *
 * @throws InvalidInputError when it is no memory path.
 */
export function normalizeMemoryPath(path: string): string {
  const fault = characterFault(path)
  if (fault !== undefined) throw refusal(path, fault)
  const segments = path
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const normalized = segments.join('/')
  if (segments.includes('..')) throw refusal(path, 'may not contain "..".')
  if (normalized.length > MAX_PATH_LENGTH) {
    throw refusal(path, `has ${normalized.length} characters; ${MAX_PATH_LENGTH} are allowed.`)
  }
  const lowerCase = normalized.toLowerCase()
  if (lowerCase === ROOT_DOCUMENT.toLowerCase()) return ROOT_DOCUMENT
  if (lowerCase === LEGACY_DOCUMENT.toLowerCase()) return LEGACY_DOCUMENT
  if (/^(?:memory|_system)\/(?:.*\/)?[^/]+\.md$/.test(normalized)) return normalized
  throw refusal(path, 'is no memory path. Use MEMORY.md, or a path below memory/ that ends in .md.')
}

/** Whether `normalizeMemoryPath` accepts the path. */
export function isMemoryPath(path: string): boolean {
  try {
    normalizeMemoryPath(path)
    return true
  } catch {
    return false
  }
}

/**
 * Like `normalizeMemoryPath`, for a path that is to be written or deleted.
 *
 * @throws InvalidInputError when it is no memory path, or one that is only read.
 */
export function normalizeWritablePath(path: string): string {
  const normalized = normalizeMemoryPath(path)
  if (normalized === LEGACY_DOCUMENT) {
    throw refusal(path, `is an old format that is only read. Write ${ROOT_DOCUMENT} instead.`)
  }
  if (normalized.startsWith(SYSTEM_FOLDER)) {
    throw refusal(path, 'belongs to Loam and is only read. Write below memory/ instead.')
  }
  return normalized
}

/**
 * The beginning of a path, as a filter: `./` at its start is dropped, all else is taken literally.
 *
 * @throws InvalidInputError when no path can begin so.
 */
export function normalizePathPrefix(prefix: string | undefined): string | undefined {
  if (prefix === undefined) return undefined
  if (typeof prefix === 'string' && isStorableText(prefix) && prefix.length <= MAX_PATH_LENGTH) {
    return prefix.normalize('NFC').replace(/^(?:\.\/+)+/, '')
  }
  const message = `The path prefix must be text of at most ${MAX_PATH_LENGTH} characters.`
  throw new InvalidInputError({ message, issues: [{ path: 'pathPrefix', message }] })
}

function characterFault(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'must be a string.'
  if (path === '') return 'may not be empty.'
  if (path.startsWith('/')) return 'must be relative, without a slash at its beginning.'
  if (path.includes('\\')) return 'may not contain a backslash; separate folders by "/".'
  if (/\p{Cc}/u.test(path)) return 'may not contain control characters.'
  if (!isStorableText(path)) return 'contains half of a surrogate pair.'
  return undefined
}

function refusal(path: unknown, fault: string): InvalidInputError {
  const shown = typeof path === 'string' ? JSON.stringify(path.slice(0, 100)) : String(path)
  const message = `The path ${shown} ${fault}`
  return new InvalidInputError({ message, issues: [{ path: 'path', message }] })
}
