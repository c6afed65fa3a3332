import { StorageUnavailableError } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInlineBus } from '../src/index.js'
import { createGate, createOutbox, until } from './outbox-world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

describe('the relay', () => {
  it('has every delivery handled once', async () => {
    const outbox = await createOutbox(storage)
    const before = await Promise.all([outbox.publish(), outbox.publish(), outbox.publish()])
    const handled: string[] = []
    const { relay, close } = await outbox.run(async (_event, { jobId }) => {
      handled.push(jobId)
    })
    for (const id of before) await outbox.reaches(id, 'done')
    const after = await outbox.publish()
    relay.nudge()
    await outbox.reaches(after, 'done')
    await close()
    expect(handled.toSorted()).toEqual([...before, after].toSorted())
  })

  it('lets deliveries with the same ordering key go one after the other, beside others', async () => {
    const outbox = await createOutbox(storage)
    const first = await outbox.publish('session a')
    const second = await outbox.publish('session a')
    const other = await outbox.publish('session b')
    const begun: string[] = []
    const gate = createGate()
    const { close } = await outbox.run(async (_event, { jobId }) => {
      begun.push(jobId)
      if (jobId === first) await gate.passed
    })
    await outbox.reaches(other, 'done')
    await until(() => begun.includes(first))
    expect(begun).not.toContain(second)
    gate.open()
    await outbox.reaches(second, 'done')
    await close()
    expect(begun.indexOf(first)).toBeLessThan(begun.indexOf(second))
  })

  it('gives back what the bus did not take, without counting a try', async () => {
    const outbox = await createOutbox(storage)
    await outbox.publish()
    await outbox.publish()
    const gate = createGate()
    const begun: string[] = []
    const { close } = await outbox.run(
      async (_event, { jobId }) => {
        begun.push(jobId)
        await gate.passed
      },
      { concurrency: 1 },
    )
    await until(() => begun.length === 1)
    const closed = close()
    gate.open()
    await closed
    expect(begun).toHaveLength(1)
    const counts = await storage.system.deliveries.counts()
    expect(counts.filter(({ consumer }) => consumer === outbox.consumer)).toEqual([
      { consumer: outbox.consumer, state: 'done', count: 1 },
      { consumer: outbox.consumer, state: 'pending', count: 1 },
    ])
    const [again] = await outbox.takeAway(1_000)
    expect(await outbox.find(again!.deliveryId)).toMatchObject({ tries: 0 })
  })

  it('asks the bus before it takes more, while the bus is away', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    let pings = 0
    const inline = createInlineBus()
    const { close } = await outbox.run(async () => {}, {
      bus: {
        ...inline,
        publish: (messages, options) =>
          pings < 3 ? Promise.reject(new Error('Away.')) : inline.publish(messages, options),
        ping: async () => {
          pings += 1
          if (pings < 3) throw new Error('Away.')
        },
      },
    })
    await outbox.reaches(id, 'done')
    await close()
    // Sent once in vain, and once more when the bus answered.
    expect(await outbox.find(id)).toMatchObject({ attempt: 2, tries: 1 })
  })

  it('keeps no more deliveries out than it was told', async () => {
    const outbox = await createOutbox(storage)
    const published = await Promise.all(Array.from({ length: 7 }, () => outbox.publish()))
    const sent: string[] = []
    const { close, relay } = await outbox.run(async () => {}, {
      maxOut: 3,
      bus: {
        ...createInlineBus(),
        publish: async (messages) => void sent.push(...messages.map((one) => one.deliveryId)),
      },
    })
    await until(() => sent.length === 3)
    relay.nudge()
    await until(async () => (await outbox.find(sent[0]!))?.state === 'sent')
    expect(sent).toHaveLength(3)
    await close()
    expect(published).toEqual(expect.arrayContaining(sent))
  })

  it('goes on when the store comes back', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    let failures = 2
    const { close } = await outbox.run(async () => {}, {
      storage: {
        system: {
          ...storage.system,
          deliveries: {
            ...storage.system.deliveries,
            claim: (request) => {
              failures -= 1
              if (failures < 0) return storage.system.deliveries.claim(request)
              return Promise.reject(new StorageUnavailableError({ message: 'Away.' }))
            },
          },
        },
      },
    })
    await outbox.reaches(id, 'done')
    await close()
    expect(failures).toBeLessThan(0)
  })

  it('takes back at once what an earlier process had, where it is the only one', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    expect(await outbox.takeAway(30_000)).toHaveLength(1)
    const { close } = await outbox.run(async () => {}, { exclusive: true })
    await outbox.reaches(id, 'done')
    await close()
    expect(await outbox.find(id)).toMatchObject({ attempt: 2 })
  })

  it('leaves to another process what that one has, until its lease ends', async () => {
    const outbox = await createOutbox(storage)
    const taken = await outbox.publish()
    await outbox.takeAway(3_600_000)
    const free = await outbox.publish()
    const { close } = await outbox.run(async () => {})
    await outbox.reaches(free, 'done')
    await close()
    expect(await outbox.find(taken)).toMatchObject({ state: 'sent', attempt: 1 })
  })
})
