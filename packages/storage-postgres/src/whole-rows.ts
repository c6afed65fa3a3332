import { getTableColumns, sql, type InferSelectModel, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { execute, type Database } from './database.js'

/**
 * Reads whole rows of a table. The list of its columns is written once, and not for each statement as by drizzle's builder,
 * where it is most of the work of a lookup.
 *
 * @example
 * const selectRuns = wholeRows(runs)
 * const [run] = await selectRuns(database, sql`where tenant_id = ${tenantId} and id = ${id}`)
 */
export function wholeRows<Table extends PgTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table))
  const list = columns.map(([key, { name }]) => `"${name}" as "${key}"`).join(', ')
  const { schema, name } = getTableConfig(table)
  const select = sql.raw(`select ${list} from "${schema}"."${name}" `)

  return async (database: Database, which: SQL): Promise<InferSelectModel<Table>[]> => {
    const rows = await execute<Record<string, unknown>>(database, sql`${select}${which}`)
    return rows.map((row) => {
      const values = columns.map(([key, column]) => {
        const value = row[key]
        return [key, value === null ? null : column.mapFromDriverValue(value)]
      })
      return Object.fromEntries(values) as InferSelectModel<Table>
    })
  }
}
