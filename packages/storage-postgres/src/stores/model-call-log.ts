import type { Access, ModelCall, ModelCallLog } from '@loam/storage'
import type { Database, Engine } from '../database.js'
import { createGrouping } from '../grouping.js'
import { isUuid } from '../sql-values.js'
import { checkAccess, enterAs, runUnitOfWork } from '../unit-of-work.js'
import { finishCalls, insertCalls, type FinishedCall } from './model-call-rows.js'
import { createModelCallStore, noSuchCall } from './model-calls.js'

/** Most tenants whose groups are kept at hand. */
const MAX_TENANTS = 1_000

/** Records calls in as few journeys to the server as it can: those of one tenant that begin or end at once go together. */
export function createModelCallLog(engine: Engine): ModelCallLog {
  const groups = new Map<string, TenantGroups>()

  function groupsOf(tenantId: string): TenantGroups {
    const known = groups.get(tenantId)
    if (known) return known
    // Whoever waits in a group that is forgotten here is still served by it.
    if (groups.size >= MAX_TENANTS) groups.clear()
    const made = createTenantGroups(engine, tenantId)
    groups.set(tenantId, made)
    return made
  }

  return {
    async begin(call, limits, { signal } = {}) {
      const access = accessTo(call.scope)
      signal?.throwIfAborted()
      if (!limits) {
        await groupsOf(access.tenantId).begin(call)
        return { admitted: true }
      }
      const work = (database: Database) =>
        createModelCallStore({ database, access }).begin(call, limits)
      return await runUnitOfWork(engine, enterAs(access), work, { signal })
    },
    async finish({ id, scope }, outcome) {
      const { tenantId } = accessTo(scope)
      if (isUuid(id) && (await groupsOf(tenantId).finish({ id, outcome }))) return
      throw noSuchCall(id)
    },
  }
}

interface TenantGroups {
  begin(call: ModelCall): Promise<void>
  /** Whether there was such a call. */
  finish(call: FinishedCall): Promise<boolean>
}

function createTenantGroups(engine: Engine, tenantId: string): TenantGroups {
  /** Each statement is a transaction. */
  const database = engine.single(enterAs({ tenantId, everyUser: true }))
  return {
    begin: createGrouping(async (calls) => {
      await insertCalls(database, tenantId, calls, { areReserved: false })
      return calls.map(() => undefined)
    }),
    finish: createGrouping(async (calls) => {
      const finished = await finishCalls(database, tenantId, calls)
      return calls.map(({ id }) => finished.has(id.toLowerCase()))
    }),
  }
}

/** A limit is for all users of the tenant, so whoever reserves works across them. */
function accessTo({ tenantId }: { readonly tenantId: string }): Access {
  const access = { tenantId, everyUser: true } as const
  checkAccess(access)
  return access
}
