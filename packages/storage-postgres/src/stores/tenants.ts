import { ConflictError } from '@loam/core'
import type { Tenant, TenantDirectory, TenantStore } from '@loam/storage'
import { asc, eq } from 'drizzle-orm'
import type { Database } from '../database.js'
import { tenants } from '../schema/tenants.js'
import type { StoreContext } from './store-context.js'

export function createTenantStore({ database, access }: StoreContext): TenantStore {
  const find = async (): Promise<Tenant | undefined> => {
    const [row] = await database.select().from(tenants).where(eq(tenants.id, access.tenantId))
    return row
  }
  return {
    find,
    async ensure({ slug, name }) {
      const present = await find()
      if (present) return present
      await database
        .insert(tenants)
        .values({ id: access.tenantId, slug, name })
        .onConflictDoNothing()
      const made = await find()
      if (made) return made
      throw new ConflictError({
        message: `Another tenant has the slug ${JSON.stringify(slug)}. Choose another.`,
        details: { slug },
      })
    },
  }
}

export function createTenantDirectory(database: Database): TenantDirectory {
  return {
    list: () => database.select().from(tenants).orderBy(asc(tenants.slug)),
  }
}
