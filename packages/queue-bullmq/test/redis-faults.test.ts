import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventBus } from '@loam/core'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askRedis } from '../../../tools/services/ask-redis.mjs'
import {
  killRedis,
  restartRedis,
  startRedis,
  stopRedis,
} from '../../../tools/services/redis-server.mjs'
import { createBullmqBus, QueueUnavailableError, type BullmqBusOptions } from '../src/index.js'
import { messageTo } from '@loam/core/testing'
import { PATIENCE } from './patience.js'
import { canStartRedis } from './private-redis.js'
import { createRecordingLogger, type RecordingLogger } from './recording-logger.js'
import { createRelay, type Relay } from './tcp-relay.js'

const LOST = 'warn Redis cannot be reached; trying again.'
const BACK = 'info Redis can be reached again.'
/** For those that wait in vain. */
const HASTY = { publishTimeoutMs: 2_000 }

describe.skipIf(!(await canStartRedis()))('with a Redis to kill (redis-server)', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let logger: RecordingLogger
  const buses: EventBus[] = []
  const relays: Relay[] = []

  beforeEach(async () => {
    server = await startRedis()
    logger = createRecordingLogger()
  })
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close({ drainMs: 0 })))
    for (const relay of relays.splice(0)) relay.close()
    await stopRedis(server)
  })

  function openBus(options: Partial<BullmqBusOptions> = {}): EventBus {
    const bus = createBullmqBus({ url: server.url, logger, publishTimeoutMs: 20_000, ...options })
    buses.push(bus)
    return bus
  }

  /** A bus that handles consumer `a` at once, and what it has handled. */
  async function openHandlingBus(options?: Partial<BullmqBusOptions>) {
    const bus = openBus(options)
    const handled: string[] = []
    await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
    return { bus, handled }
  }

  /** Until the worker has told Redis how its messages ended. */
  const idle = () =>
    vi.waitFor(async () => expect(await ask('LLEN', '{loam.a}:a:active')).toBe(':0'), PATIENCE)
  const ask = (...command: string[]) => askRedis(server.url, command)
  const signalServer = (signal: NodeJS.Signals) =>
    process.kill(Number(readFileSync(join(server.folder, 'redis.pid'), 'utf8')), signal)

  it('goes on when Redis is emptied and forgets its scripts while a worker waits', async () => {
    const opened = await openHandlingBus()
    await expectToWork(opened)
    await idle()
    await ask('FLUSHALL')
    await ask('SCRIPT', 'FLUSH')
    await expectToWork(opened)
    expect(logger.lines).toEqual([])
  })

  it('goes on when Redis is emptied while a message is in hand', async () => {
    const bus = openBus({ lockDurationMs: 200, stalledIntervalMs: 200 })
    const ended: string[] = []
    const gates: (() => void)[] = []
    await bus.subscribe('a', async ({ deliveryId }) => {
      await new Promise<void>((resolve) => gates.push(resolve))
      ended.push(deliveryId)
    })
    const [first, second] = [messageTo('a'), messageTo('a')]
    await bus.publish([first])
    await vi.waitFor(() => expect(gates).toHaveLength(1), PATIENCE)
    await ask('FLUSHALL')
    // Its lock cannot be renewed any more.
    await vi.waitFor(() => expect(logger.lines).not.toHaveLength(0), PATIENCE)
    gates[0]?.()
    await bus.publish([second])
    await vi.waitFor(() => expect(gates).toHaveLength(2), PATIENCE)
    gates[1]?.()
    await vi.waitFor(() => expect(ended).toEqual([first.deliveryId, second.deliveryId]), PATIENCE)
    expect(new Set(logger.lines)).toEqual(
      new Set(['debug Redis no longer has a message that is in hand.']),
    )
  })

  it('goes on when Redis is killed while a worker waits, and started again', async () => {
    const opened = await openHandlingBus(HASTY)
    const { bus } = opened
    await expectToWork(opened)
    await idle()
    await killRedis(server)
    await expect(bus.publish([messageTo('a')])).rejects.toThrow(QueueUnavailableError)
    await expect(bus.ping()).rejects.toThrow(QueueUnavailableError)
    // So long that BullMQ gives up its wait for a message, and ends and opens that connection once more.
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    await restartRedis(server)
    await expectToWork(opened)
    await expect(bus.ping()).resolves.toBeUndefined()
    await vi.waitFor(() => expect(logger.lines).toContain(BACK), PATIENCE)
    await expectToWork(opened)
    expect(logger.lines).toEqual([LOST, BACK])
    // What was refused meanwhile was not kept.
    expect(opened.handled).toHaveLength(3)
  })

  it('goes on when Redis is killed while messages are in hand', async () => {
    const bus = openBus()
    const gates: (() => void)[] = []
    await bus.subscribe('a', () => new Promise<void>((resolve) => gates.push(resolve)), {
      concurrency: 2,
    })
    await bus.publish([messageTo('a'), messageTo('a'), messageTo('a')])
    await vi.waitFor(() => expect(gates).toHaveLength(2), PATIENCE)
    await killRedis(server)
    gates[0]?.()
    await restartRedis(server)
    gates[1]?.()
    const later = [messageTo('a'), messageTo('a')]
    await vi.waitFor(() => bus.publish(later), PATIENCE)
    await vi.waitFor(() => expect(gates).toHaveLength(4), PATIENCE)
    for (const open of gates) open()
  })

  it('waits for a Redis that is not there yet', async () => {
    await killRedis(server)
    const opened = await openHandlingBus(HASTY)
    await expect(opened.bus.publish([messageTo('a')])).rejects.toThrow('ECONNREFUSED')
    await restartRedis(server)
    await expectToWork(opened)
    await vi.waitFor(() => expect(logger.lines).toEqual([LOST, BACK]), PATIENCE)
    expect(opened.handled).toHaveLength(1)
  })

  it('refuses messages while Redis stands still, and hands them over when it goes on', async () => {
    const opened = await openHandlingBus(HASTY)
    await expectToWork(opened)
    signalServer('SIGSTOP')
    try {
      await expect(opened.bus.publish([messageTo('a')])).rejects.toThrow('2000 ms')
      await expect(opened.bus.publish([messageTo('a')])).rejects.toThrow(QueueUnavailableError)
    } finally {
      signalServer('SIGCONT')
    }
    await expectToWork(opened)
  })

  it('notices connections that have gone silent, on both ends', async () => {
    const relay = await createRelay(server.url)
    relays.push(relay)
    const opened = await openHandlingBus({ ...HASTY, url: relay.url })
    await expectToWork(opened)
    relay.silenceConnections()
    await expectToWork(opened)
    await expect(opened.bus.ping()).resolves.toBeUndefined()
  })

  it('says once that the password is wrong, however long it is', async () => {
    const wrong = new URL(server.url)
    wrong.password = 'hunter2'
    const bus = openBus({ url: wrong.href, publishTimeoutMs: 1_500 })
    await bus.subscribe('a', async () => {})
    await expect(bus.ping()).rejects.toThrow('check user and password')
    await expect(bus.ping()).rejects.toThrow('check user and password')
    expect(logger.lines.filter((line) => line === LOST)).toHaveLength(1)
    expect(logger.text()).toContain('check user and password')
    expect(logger.text()).not.toContain('hunter2')
  })

  it('is calm while Redis refuses commands, and goes on when it takes them again', async () => {
    const message = messageTo('a')
    await openBus().publish([message])
    await ask('ACL', 'SETUSER', 'default', '-eval', '-evalsha')
    const { bus, handled } = await openHandlingBus()
    await expect(bus.publish([messageTo('a')])).rejects.toThrow('NOPERM')
    await vi.waitFor(() => expect(logger.lines).toHaveLength(1), PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    // Asked without respite, it had refused thousands of times.
    const redis = new Redis(server.url)
    const refusals = /errorstat_NOPERM:count=(\d+)/.exec(await redis.info('errorstats'))?.[1]
    await redis.quit()
    expect(Number(refusals)).toBeLessThan(50)
    await ask('ACL', 'SETUSER', 'default', '+@all')
    await vi.waitFor(() => expect(handled).toEqual([message.deliveryId]), PATIENCE)
    const said = logger.lines.filter((line) => !line.startsWith('debug'))
    expect(said).toEqual(['warn A queue reported an error.'])
  })

  it('writes nothing to the console, whatever the settings of Redis', async () => {
    const methods = (['log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level))
    await ask('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    const opened = await openHandlingBus()
    await expectToWork(opened)
    await opened.bus.close()
    for (const method of methods) {
      expect(method).not.toHaveBeenCalled()
      method.mockRestore()
    }
  })

  it('names no password when Redis refuses it', async () => {
    const url = new URL(server.url)
    const secret = 'swordfish:%40'
    url.password = secret
    const bus = openBus({ ...HASTY, url: url.href })
    const refused = await bus.publish([messageTo('a')]).catch((error: unknown) => error)
    expect(String(refused)).toContain('WRONGPASS')
    expect(logger.lines).toContain(LOST)
    const shown = `${String(refused)} ${JSON.stringify(refused)} ${logger.text()}`
    expect(shown).not.toContain('swordfish')
  })

  it('closes while Redis is away', async () => {
    const { bus } = await openHandlingBus()
    await bus.publish([messageTo('a')])
    await killRedis(server)
    await bus.close({ drainMs: 0 })
    await expect(bus.ping()).rejects.toThrow('closed')
  })

  it('closes before Redis was ever there', async () => {
    await killRedis(server)
    const { bus } = await openHandlingBus(HASTY)
    await expect(bus.ping()).rejects.toThrow(QueueUnavailableError)
    await expect(bus.close({ drainMs: 0 })).resolves.toBeUndefined()
  })

  it('closes while Redis stands still', async () => {
    const { bus } = await openHandlingBus()
    await bus.publish([messageTo('a')])
    signalServer('SIGSTOP')
    try {
      await expect(bus.close({ drainMs: 0 })).resolves.toBeUndefined()
    } finally {
      signalServer('SIGCONT')
    }
  })
})

/** Publishes one message, again until it is taken, and waits until it is handled. */
async function expectToWork({ bus, handled }: { bus: EventBus; handled: readonly string[] }) {
  const message = messageTo('a')
  await vi.waitFor(() => bus.publish([message]), PATIENCE)
  await vi.waitFor(() => expect(handled).toContain(message.deliveryId), PATIENCE)
}
