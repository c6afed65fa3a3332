import { ConfigurationError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { createBullmqBus } from '../src/index.js'
import { readBusOptions } from '../src/bus-options.js'

const url = 'redis://127.0.0.1:6379'

describe('readBusOptions', () => {
  it('fills in the defaults', () => {
    expect(readBusOptions({ url })).toMatchObject({
      prefix: 'loam',
      publishTimeoutMs: 2_000,
      lockDurationMs: 30_000,
      stalledIntervalMs: 30_000,
      maxStalledCount: 1_000,
    })
  })

  it.each([
    ['url', 'http://127.0.0.1'],
    ['prefix', ''],
    ['prefix', 'a:b'],
    ['prefix', '{a}'],
    ['publishTimeoutMs', 0],
    ['publishTimeoutMs', 1.5],
    ['lockDurationMs', -1],
    ['lockDurationMs', Number.POSITIVE_INFINITY],
    ['stalledIntervalMs', 24 * 60 * 60 * 1_000 + 1],
    ['maxStalledCount', -1],
  ])('refuses %s %j and names it', (option, value) => {
    const make = () => createBullmqBus({ url, [option]: value })
    expect(make).toThrow(ConfigurationError)
    expect(make).toThrow(option)
  })

  it('names every fault, and no password', () => {
    const faulty = { url: 'redis://user:swordfish@host/not-a-number', lockDurationMs: 1 }
    let thrown: unknown
    try {
      createBullmqBus(faulty)
    } catch (error) {
      thrown = error
    }
    if (!ConfigurationError.isInstance(thrown)) throw new Error('It was not refused.')
    expect(thrown.issues.map(({ path }) => path)).toEqual(['url', 'lockDurationMs'])
    expect(`${String(thrown)} ${JSON.stringify(thrown)}`).not.toContain('swordfish')
    expect(thrown.cause).toBeUndefined()
  })
})
