/** The tenant of an installation that has only one (spec 06, 8.1). */
export const DEFAULT_TENANT_ID = '0193a5b0-7000-7000-8000-000000000001'

/** A customer of an installation; nothing is shared between two of them. */
export interface Tenant {
  readonly id: string
  /** Short unique name. */
  readonly slug: string
  readonly name: string
  readonly createdAt: Date
}

/** Tenants, seen from inside one of them. */
export interface TenantStore {
  /** Makes the tenant of this unit of work if it does not exist, and returns it. */
  ensure(tenant: { readonly slug: string; readonly name: string }): Promise<Tenant>
  /** The tenant of this unit of work. */
  find(): Promise<Tenant | undefined>
}

/** Tenants, seen from the system: only to list them for background work. */
export interface TenantDirectory {
  list(): Promise<readonly Tenant[]>
}
