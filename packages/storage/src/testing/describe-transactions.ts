import { InvalidInputError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { sampleMessage } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** What a unit of work promises, whatever it does. */
export function describeTransactions(opened: OpenedStorage): void {
  describe('transaction', () => {
    it('keeps nothing of a unit of work that rejects', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const failing = world.as('ada', async ({ messages }) => {
        await messages.append(sessionId, [sampleMessage()])
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      const page = await world.as('ada', ({ messages }) => messages.list(sessionId, { limit: 10 }))
      expect(page.items).toEqual([])
    })

    it('writes nothing in a unit of work that only reads', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const access = { tenantId: world.tenantId, userId: 'ada' }
      const readOnly = { readOnly: true }
      const writing = opened().transaction(
        access,
        ({ messages }) => messages.append(sessionId, [sampleMessage()]),
        readOnly,
      )
      await expect(writing).rejects.toThrow('25006')
      const page = await opened().transaction(
        access,
        ({ messages }) => messages.list(sessionId, { limit: 10 }),
        readOnly,
      )
      expect(page.items).toEqual([])
      await world.as('ada', ({ messages }) => messages.append(sessionId, [sampleMessage()]))
    })

    it('returns whatever the work returns, arrays and undefined included', async () => {
      const world = await createWorld(opened())
      expect(await world.as('ada', async () => [1, 2])).toEqual([1, 2])
      expect(await world.as('ada', async () => undefined)).toBeUndefined()
    })

    it.each([
      { what: 'a tenant id that is no UUID', tenantId: 'acme', userId: 'ada' },
      { what: 'an empty tenant id', tenantId: '', userId: 'ada' },
      { what: 'a user id with a NUL', tenantId: generateId(), userId: 'a\0b' },
      { what: 'a user id with a lone surrogate', tenantId: generateId(), userId: 'a\ud800' },
      { what: 'a user id of 256 characters', tenantId: generateId(), userId: 'a'.repeat(256) },
    ])('refuses $what', async ({ tenantId, userId }) => {
      const work = opened().transaction({ tenantId, userId }, async () => 1)
      await expect(work).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
    })

    it('rejects with the reason of a signal that has fired, and does no work', async () => {
      const world = await createWorld(opened())
      let worked = false
      const work = world.storage.transaction(
        { tenantId: world.tenantId, userId: 'ada' },
        async () => {
          worked = true
        },
        { signal: AbortSignal.abort(new Error('too late')) },
      )
      await expect(work).rejects.toThrow('too late')
      expect(worked).toBe(false)
    })

    it('undoes work that is cancelled, and refuses what it goes on to do', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const controller = new AbortController()
      let later: unknown
      let ended: Promise<void> | undefined
      const work = world.storage.transaction(
        { tenantId: world.tenantId, userId: 'ada' },
        ({ messages }) => {
          ended = (async () => {
            await messages.append(sessionId, [sampleMessage({ id: 'first' })])
            controller.abort(new Error('cancelled'))
            await messages.append(sessionId, [sampleMessage({ id: 'second' })]).catch((error) => {
              later = error
            })
          })()
          return ended
        },
        { signal: controller.signal },
      )
      await expect(work).rejects.toThrow('cancelled')
      await ended
      expect(later).toEqual(new Error('cancelled'))
      const page = await world.as('ada', ({ messages }) => messages.list(sessionId, { limit: 10 }))
      expect(page.items).toEqual([])
    })

    it('refuses the stores of a unit of work that has ended', async () => {
      const world = await createWorld(opened())
      const stores = await world.as('ada', async (inside) => ({ inside }))
      await expect(stores.inside.agents.find('agent')).rejects.toThrow(/ended/)
    })

    it('reports the same schema version as it expects', async () => {
      const { schemaVersion, expectedSchemaVersion } = await opened().health()
      expect(schemaVersion).toBe(expectedSchemaVersion)
      expect(schemaVersion).toBeGreaterThan(0)
    })

    it('gives an error of its own for a value that the database cannot hold', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const storing = world.as('ada', ({ messages }) =>
        messages.append(sessionId, [sampleMessage({ content: 'a\0b' })]),
      )
      await expect(storing).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
    })
  })
}
