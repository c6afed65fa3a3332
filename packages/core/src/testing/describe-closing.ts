import { describe, expect, it, vi } from 'vitest'
import { messageTo } from './delivery-messages.js'
import type { OpenBus } from './describe-event-bus.js'
import { createGatedHandler } from './gated-handler.js'
import { PATIENCE } from './patience.js'

const LONG_MS = 60_000

/** Ending: what becomes of messages in hand and of those that come later. */
export function describeClosing(openBus: OpenBus): void {
  describe('close', () => {
    it('waits for the messages in hand', async () => {
      const bus = await openBus()
      const gated = createGatedHandler()
      await bus.subscribe('a', gated.handler)
      await bus.publish([messageTo('a')])
      await vi.waitFor(() => expect(gated.begun).toHaveLength(1), PATIENCE)
      let isClosed = false
      const closed = bus.close({ drainMs: LONG_MS }).then(() => (isClosed = true))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(isClosed).toBe(false)
      gated.finish(gated.begun[0] ?? '')
      await closed
      expect(gated.aborted).toEqual([])
    })

    it('aborts what does not end in time', async () => {
      const bus = await openBus()
      const gated = createGatedHandler()
      await bus.subscribe('a', gated.handler)
      await bus.publish([messageTo('a')])
      await vi.waitFor(() => expect(gated.begun).toHaveLength(1), PATIENCE)
      await bus.close({ drainMs: 1 })
      expect(gated.aborted).toEqual(gated.begun)
    })

    it('does not wait for ever for a handler that ignores its signal', async () => {
      const bus = await openBus()
      let release: (() => void) | undefined
      await bus.subscribe('a', () => new Promise<void>((resolve) => (release = resolve)))
      await bus.publish([messageTo('a')])
      await vi.waitFor(() => expect(release).toBeDefined(), PATIENCE)
      await bus.close({ drainMs: 1 })
      release?.()
    })

    it('begins no other message', async () => {
      const bus = await openBus()
      const gated = createGatedHandler()
      await bus.subscribe('a', gated.handler)
      const published = Promise.allSettled([
        bus.publish([messageTo('a')]),
        bus.publish([messageTo('a')]),
      ])
      await vi.waitFor(() => expect(gated.begun).toHaveLength(1), PATIENCE)
      const closed = bus.close({ drainMs: LONG_MS })
      gated.finish(gated.begun[0] ?? '')
      await closed
      await published
      expect(gated.begun).toHaveLength(1)
    })

    it('lets nothing be published any more', async () => {
      const bus = await openBus()
      await bus.subscribe('a', async () => {})
      await bus.close()
      await expect(bus.publish([messageTo('a')])).rejects.toThrow('closed')
    })

    it('may be called twice, at once and later', async () => {
      const bus = await openBus()
      await bus.subscribe('a', async () => {})
      await expect(Promise.all([bus.close(), bus.close()])).resolves.toBeDefined()
      await expect(bus.close()).resolves.toBeUndefined()
    })
  })

  describe('ping', () => {
    it('resolves while messages can be handed over', async () => {
      const bus = await openBus()
      await expect(bus.ping()).resolves.toBeUndefined()
    })

    it('rejects when the bus is closed', async () => {
      const bus = await openBus()
      await bus.close()
      await expect(bus.ping()).rejects.toThrow('closed')
    })
  })
}
