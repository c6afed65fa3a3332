import { ModelError, fixedClock, type Logger, type ModelErrorReason } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { createModelWatch } from '../src/model-watch.js'

function watched() {
  const lines: string[] = []
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`)
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  }
  const clock = fixedClock('2026-12-01T12:00:00Z')
  const watch = createModelWatch({ setting: 'LOAM_CHAT_MODEL', model: 'small', clock, logger })
  let calls = 0
  const work = (outcome?: Error) => async () => {
    calls += 1
    if (outcome) throw outcome
  }
  return {
    clock,
    watch,
    lines,
    call: (outcome?: Error) => watch.callSparingly(work(outcome)),
    callAtOnce: (outcome?: Error) => watch.call(work(outcome)),
    calls: () => calls,
  }
}

const failure = (reason: ModelErrorReason, retryable = false) =>
  new ModelError({ message: `It says ${reason}.`, retryable, reason })

describe('a model watch', () => {
  it.each([
    ['unauthorized', 'LOAM_MODEL_API_KEY'],
    ['not_found', 'LOAM_CHAT_MODEL'],
  ] as const)(
    'says once what to set when a model is %s, and once that it is mended',
    async (reason, setting) => {
      const { clock, watch, lines, call, calls } = watched()
      const error = failure(reason)
      for (let time = 0; time < 10; time += 1) await expect(call(error)).rejects.toBe(error)
      // The others were not sent.
      expect(calls()).toBe(1)
      expect(watch.trouble).toContain(setting)
      expect(lines).toEqual([`error A model cannot be used; its work waits. ${watch.trouble}`])
      clock.advance(15_000)
      await call()
      await call()
      expect(watch.trouble).toBeUndefined()
      expect(lines.slice(1)).toEqual(['info A model can be used again.'])
    },
  )

  it('makes every call that somebody waits for, and hears from it that all is well', async () => {
    const { watch, call, callAtOnce, calls } = watched()
    await call(failure('unauthorized')).catch(() => {})
    await callAtOnce(failure('unauthorized')).catch(() => {})
    expect(calls()).toBe(2)
    await callAtOnce()
    expect(watch.trouble).toBeUndefined()
    await call()
    expect(calls()).toBe(4)
  })

  it('goes on asking a model that cannot be reached, and says so once', async () => {
    const { lines, call, calls } = watched()
    for (let time = 0; time < 3; time += 1) await call(failure('unreachable', true)).catch(() => {})
    expect(calls()).toBe(3)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('LOAM_MODEL_BASE_URL')
  })

  it('makes nothing of one call that failed', async () => {
    const { watch, lines, call } = watched()
    for (const reason of ['timeout', 'rate_limited', 'refused', 'malformed'] as const) {
      await call(failure(reason)).catch(() => {})
    }
    await call(new TypeError('x is undefined')).catch(() => {})
    expect(watch.trouble).toBeUndefined()
    expect(lines).toEqual([])
  })
})
