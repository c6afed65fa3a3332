import { InvalidInputError } from '@loam/core'
import { resolve } from 'node:path'

/** Where a store is. */
export type StorageLocation =
  | { readonly engine: 'postgres'; readonly url: string }
  | { readonly engine: 'pglite'; readonly folder: string }
  | { readonly engine: 'pglite'; readonly folder?: never }

/** @throws InvalidInputError when the URL names no store that is known. */
export function parseStorageUrl(url: string): StorageLocation {
  if (/^postgres(?:ql)?:\/\//.test(url)) return { engine: 'postgres', url }
  if (url === 'pglite:memory') return { engine: 'pglite' }
  if (url.startsWith('pglite:') && url.length > 'pglite:'.length) {
    return { engine: 'pglite', folder: resolve(url.slice('pglite:'.length)) }
  }
  // Not repeated, since it may hold a password.
  throw new InvalidInputError({
    message:
      'A storage URL begins with postgres://, or is pglite:<folder> or pglite:memory. Check LOAM_DATABASE_URL.',
    issues: [{ path: 'url', message: 'is not postgres://…, pglite:<folder> or pglite:memory' }],
  })
}
