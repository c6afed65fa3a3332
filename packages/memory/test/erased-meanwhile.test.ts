import { ConflictError, type EmbeddingModel } from '@loam/core'
import { expect, it } from 'vitest'
import { createConceptEmbeddings, useStorage } from './memory-fixture.js'

const { storage, newScope, newMemory } = useStorage()

/** A memory whose model, wherever it runs, lets something happen before it answers. */
function memoryThat(happens: () => Promise<unknown>, options: Partial<EmbeddingModel>) {
  const model = createConceptEmbeddings(options)
  const embeddings: EmbeddingModel = {
    ...model,
    embed: async (...input) => {
      await happens()
      return await model.embed(...input)
    },
  }
  return newMemory({ embeddings }).memory
}

it.each([true, false])(
  'what waits for its vectors is not stored when its user is erased (remote model: %s)',
  async (remote) => {
    const scope = await newScope()
    const { agentId, userId } = scope
    const asUser = { tenantId: scope.tenantId, userId }
    const erase = () =>
      storage().transaction(asUser, ({ userData }) => userData.erase(agentId, userId))
    const memory = memoryThat(erase, { remote })
    const words = [{ role: 'user', content: 'I drink tea.' }] as const
    const document = { path: 'MEMORY.md', content: 'Alice drinks tea.' }
    for (const write of [
      () => memory.storeMessages(scope, { key: 'talk' }, words),
      () => memory.putDocument(scope, document),
      () => memory.appendDocument(scope, document),
    ]) {
      const error: unknown = await write().catch((failure: unknown) => failure)
      expect(ConflictError.isInstance(error) && error.details['erased']).toBe(true)
    }
    const holdings = await storage().transaction(asUser, ({ userData }) =>
      userData.holdings(agentId, userId),
    )
    expect(Object.values(holdings).every((count) => count === 0)).toBe(true)
    const calm = memoryThat(async () => {}, { remote })
    await expect(calm.storeMessages(scope, { key: 'talk' }, words)).resolves.toMatchObject({
      sessionCreated: true,
    })
  },
)

it('messages are stored into the session that is meant, or not at all', async () => {
  const scope = await newScope()
  const { memory } = newMemory()
  const words = [{ role: 'user', content: 'Hello' }] as const
  const { session } = await memory.storeMessages(scope, { key: 'talk' }, words)
  const again = await memory.storeMessages(scope, { key: 'talk', id: session.id }, words)
  expect(again).toMatchObject({ sessionCreated: false, items: [{ sequence: 2 }] })
  const other = await memory.storeMessages(scope, { key: 'other' }, words)
  for (const { id } of [other.session, { id: 'none' }]) {
    await expect(memory.storeMessages(scope, { key: 'talk', id }, words)).rejects.toSatisfy(
      (error) => ConflictError.isInstance(error),
    )
  }
})
