import type { SystemConfig, SystemConfigStore } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { systemConfigs } from '../schema/system-configs.js'
import { wholeRows } from '../whole-rows.js'
import type { StoreContext } from './store-context.js'

const selectConfigs = wholeRows(systemConfigs)

export function createSystemConfigStore({ database, access }: StoreContext): SystemConfigStore {
  const { tenantId } = access

  async function find(key: string): Promise<SystemConfig | undefined> {
    const [row] = await selectConfigs(database, sql`where tenant_id = ${tenantId} and key = ${key}`)
    return row && toConfig(row)
  }

  return {
    find,
    async list() {
      const rows = await selectConfigs(database, sql`where tenant_id = ${tenantId} order by key`)
      return rows.map(toConfig)
    },
    async put(key, value) {
      await execute(
        database,
        sql`insert into loam.system_configs (tenant_id, key, value) values (${tenantId}::uuid, ${key}::text, ${value}::text)
          on conflict (tenant_id, key) do update set value = excluded.value, updated_at = clock_timestamp()`,
      )
      const written = await find(key)
      if (written) return written
      throw new TypeError('A setting that was just written is not there.')
    },
    async delete(key) {
      const rows = await execute(
        database,
        sql`delete from loam.system_configs where tenant_id = ${tenantId} and key = ${key} returning key`,
      )
      return rows.length > 0
    },
  }
}

function toConfig({
  tenantId: _tenantId,
  ...config
}: typeof systemConfigs.$inferSelect): SystemConfig {
  return config
}
