import { EventEmitter, once } from 'node:events'
import { generateId, type LoamEvent } from '@loam/core'
import type { EventHandler } from '@loam/consolidation'
import type { DeliveryState, Storage } from '@loam/storage'
import { vi } from 'vitest'
import { createDeliveryHandler, createInlineBus, createRelay } from '../src/index.js'
import type { DeliveryHandlerOptions } from '../src/delivery-handler.js'
import type { RelayOptions } from '../src/relay.js'

/** A tenant and a consumer of its own, whose deliveries a test publishes and handles as it likes. */
export async function createOutbox(storage: Storage) {
  const tenantId = generateId()
  const agentId = generateId()
  const consumer = `test.${tenantId}`
  await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
    await stores.tenants.ensure({ slug: tenantId, name: 'Test' })
    await stores.agents.create({
      id: agentId,
      key: 'helper',
      type: 'open',
      displayName: undefined,
      description: undefined,
      settings: {},
    })
  })

  /** Publishes an event with one delivery and returns the delivery's id. */
  async function publish(orderingKey: string = generateId()): Promise<string> {
    const id = generateId()
    const event: LoamEvent = {
      type: 'chunks.unembedded',
      id: generateId(),
      tenantId,
      agentId,
      userId: '',
      occurredAt: new Date(),
      payload: { groupId: generateId() },
    }
    await storage.transaction({ tenantId, userId: '' }, ({ outbox }) =>
      outbox.publish(event, [{ id, consumer, orderingKey }]),
    )
    return id
  }

  const find = (id: string) => storage.system.deliveries.find(tenantId, id)

  /** Takes a delivery as another process would that then ends without a word. */
  async function takeAway(leaseMs: number) {
    const claimed = await storage.system.deliveries.claim({
      consumers: [consumer],
      now: new Date(),
      limit: 10,
      leaseMs,
    })
    return claimed.map(({ id, attempt, orderingKey }) => ({
      deliveryId: id,
      tenantId,
      consumer,
      orderingKey,
      attempt,
    }))
  }

  /** Takes a delivery and begins it, as a process does that then ends without a word. */
  async function beginAndDie(): Promise<void> {
    for (const { deliveryId: id, attempt } of await takeAway(30_000)) {
      await storage.system.deliveries.begin({ tenantId, id, attempt }, new Date(Date.now() - 1_000))
    }
  }

  /** Runs relay, bus and handler over this consumer. */
  async function run(
    handler: EventHandler,
    given: Partial<RelayOptions & DeliveryHandlerOptions> & { readonly concurrency?: number } = {},
  ) {
    const bus = given.bus ?? createInlineBus()
    const shared = { storage, pollMs: 20, ...given, bus }
    const relay = createRelay({ ...shared, consumers: [consumer] })
    const handle = createDeliveryHandler({
      ...shared,
      handlers: { [consumer]: handler },
      onSettled: (settled) => relay.nudge(settled),
      random: () => 0,
    })
    await bus.subscribe(consumer, handle, { concurrency: given.concurrency ?? 4 })
    relay.start()
    return {
      relay,
      close: async () => {
        await relay.close()
        await bus.close()
      },
    }
  }

  /** Resolves when the delivery is in that state. */
  async function reaches(id: string, state: DeliveryState): Promise<void> {
    await until(async () => (await find(id))?.state === state)
  }

  return { tenantId, agentId, consumer, publish, find, takeAway, beginAndDie, run, reaches }
}

/** A promise that a test resolves when it likes. */
export function createGate() {
  const gate = new EventEmitter()
  const passed = once(gate, 'open')
  return { passed, open: () => gate.emit('open') }
}

/** Resolves when the condition holds; rejects when it does not in time. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 30_000, interval: 5 })
}
