import type { Page, PageRequest } from './page.js'

/** A credential of a tenant. The secret itself is never stored. */
export interface ApiKey {
  readonly id: string
  readonly tenantId: string
  /** Unique within the tenant, such as `environment`. */
  readonly name: string
  /** The one user the key may act for; undefined when it may act for every user of the tenant. */
  readonly userId: string | undefined
  readonly createdAt: Date
}

/** A key that is to be made. */
export interface NewApiKey {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly userId?: string | undefined
}

/** Keys, seen from inside a tenant. */
export interface ApiKeyStore {
  /** Makes a key unless there is one of that name or secret; undefined then. Nothing that is there is changed. */
  add(key: NewApiKey): Promise<ApiKey | undefined>
  /** Makes the key of that name, or gives it another secret. `hash` is lower-case hex of SHA-256 of the secret. */
  put(key: NewApiKey): Promise<ApiKey>
  find(name: string): Promise<ApiKey | undefined>
  list(): Promise<readonly ApiKey[]>
  /** Those that are bound to a user, or to that user, by name. */
  listBound(request: PageRequest & { readonly userId?: string | undefined }): Promise<Page<ApiKey>>
  /** Whether there was such a key. */
  delete(id: string): Promise<boolean>
}

/** Keys, seen from the system: only to find out whose a presented key is. */
export interface ApiKeyDirectory {
  findByHash(hash: string): Promise<ApiKey | undefined>
}
