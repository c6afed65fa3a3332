import { generateId } from '@loam/core'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createStatementGate, execute } from '../src/database.js'
import { openOver } from '../src/open-storage.js'
import { createPgliteEngine } from '../src/pglite-engine.js'
import { migratedSnapshot } from '../src/testing/index.js'
import { enterAs } from '../src/unit-of-work.js'

it('what an erasure leaves of a model call and of itself names neither the user nor the run', async () => {
  const engine = await createPgliteEngine({ snapshot: await migratedSnapshot() })
  await using storage = await openOver(engine, { migrate: false })
  const tenantId = generateId()
  const agentId = generateId()
  const everyone = { tenantId, everyUser: true } as const
  const none = { displayName: undefined, description: undefined, settings: {} }
  const scope = { tenantId, agentId, userId: 'ada-lovelace' }
  await storage.transaction(everyone, async (stores) => {
    await stores.tenants.ensure({ slug: 'test', name: 'Test' })
    await stores.agents.create({ id: agentId, key: 'agent', type: 'open', ...none })
    await stores.modelCalls.begin({
      id: generateId(),
      scope,
      task: 'test',
      kind: 'chat',
      provider: 'p',
      model: 'm',
      runId: 'letter-of-ada-lovelace',
      startedAt: new Date(0),
    })
    await stores.userData.erase(agentId, scope.userId)
  })
  const left = await engine.transaction(
    (database) =>
      execute<{ row: string }>(
        database,
        sql`select to_jsonb(c)::text as row from loam.model_calls c union all select to_jsonb(e)::text from loam.erasures e`,
      ),
    createStatementGate(),
    enterAs(everyone),
  )
  expect(left).toHaveLength(2)
  expect(JSON.stringify(left)).not.toContain('ada-lovelace')
})
