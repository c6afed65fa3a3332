import type { Access, ModelCallLog } from '@loam/storage'
import type { Database, Engine } from '../database.js'
import { checkAccess, enterAs, runUnitOfWork, withRetries } from '../unit-of-work.js'
import { createModelCallStore } from './model-calls.js'

/** Records calls in as few journeys to the server as there are statements. */
export function createModelCallLog(engine: Engine): ModelCallLog {
  /** A store of which each statement is a transaction. */
  const singly = (access: Access) =>
    createModelCallStore({ database: engine.single(enterAs(access)), access })

  return {
    async begin(call, limits, { signal } = {}) {
      const access = accessTo(call.scope)
      signal?.throwIfAborted()
      if (!limits) return await withRetries(() => singly(access).begin(call))
      const work = (database: Database) =>
        createModelCallStore({ database, access }).begin(call, limits)
      return await runUnitOfWork(engine, enterAs(access), work, { signal })
    },
    async finish({ id, scope }, outcome) {
      const access = accessTo(scope)
      await withRetries(() => singly(access).finish(id, outcome))
    },
  }
}

/** A limit is for all users of the tenant, so whoever reserves works across them. */
function accessTo({ tenantId }: { readonly tenantId: string }): Access {
  const access = { tenantId, everyUser: true } as const
  checkAccess(access)
  return access
}
