import { describe, expect, it } from 'vitest'
import { settlesWithin, within } from '../src/time-limit.js'

const never = new Promise<never>(() => {})
const timeoutError = () => new Error('too late')
const LONG_MS = 60_000

describe('within', () => {
  it('settles as the work does', async () => {
    await expect(within(Promise.resolve(7), { timeoutMs: LONG_MS, timeoutError })).resolves.toBe(7)
    const failed = Promise.reject(new Error('no'))
    await expect(within(failed, { timeoutMs: LONG_MS, timeoutError })).rejects.toThrow('no')
  })

  it('rejects when the time is over', async () => {
    await expect(within(never, { timeoutMs: 1, timeoutError })).rejects.toThrow('too late')
  })

  it('rejects with the reason of the first signal that is aborted', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const signals = [first.signal, second.signal]
    const waiting = within(never, { timeoutMs: LONG_MS, timeoutError, signals })
    second.abort(new Error('second'))
    first.abort(new Error('first'))
    await expect(waiting).rejects.toThrow('second')
    const late = within(never, { timeoutMs: LONG_MS, timeoutError, signals: [first.signal] })
    await expect(late).rejects.toThrow('first')
  })
})

describe('settlesWithin', () => {
  it('tells whether the work settled, well or not', async () => {
    expect(await settlesWithin(Promise.resolve(), LONG_MS)).toBe(true)
    expect(await settlesWithin(Promise.reject(new Error('no')), LONG_MS)).toBe(true)
    expect(await settlesWithin(never, 1)).toBe(false)
  })
})
