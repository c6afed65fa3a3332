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

/** Keys, seen from inside a tenant. */
export interface ApiKeyStore {
  /** Makes the key of that name, or gives it another secret. `hash` is lower-case hex of SHA-256 of the secret. */
  put(key: {
    readonly id: string
    readonly name: string
    readonly hash: string
    readonly userId?: string | undefined
  }): Promise<ApiKey>
  list(): Promise<readonly ApiKey[]>
  /** Whether there was such a key. */
  delete(id: string): Promise<boolean>
}

/** Keys, seen from the system: only to find out whose a presented key is. */
export interface ApiKeyDirectory {
  findByHash(hash: string): Promise<ApiKey | undefined>
}
