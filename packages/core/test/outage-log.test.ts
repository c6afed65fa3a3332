import { describe, expect, it } from 'vitest'
import {
  createCalmWarning,
  createOutageLog,
  describeThrown,
  NotFoundError,
  type Logger,
} from '../src/index.js'

function recording() {
  const lines: string[] = []
  const at = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  }
  return { logger, said: () => lines.filter((line) => !line.startsWith('debug')) }
}

describe('an outage log', () => {
  it('says once that something is away, and once that it is back for all that miss it', () => {
    const { logger, said } = recording()
    const outage = createOutageLog({ logger, lost: 'Away.', back: 'Back.' })
    outage.worked('a')
    for (const part of ['a', 'b', 'a']) outage.failed(part, new TypeError('no'), { part })
    outage.worked('a')
    expect(said()).toEqual(['warn Away. {"part":"a","error":"TypeError: no"}'])
    outage.worked('b')
    outage.worked('b')
    expect(said().slice(1)).toEqual(['info Back. {"failures":3}'])
    outage.failed('a', 'no')
    expect(said()).toHaveLength(3)
  })
})

describe('a calm warning', () => {
  it('is said once in its time for each thing that it is about', () => {
    const { logger, said } = recording()
    let time = 0
    const warn = createCalmWarning({ logger, message: 'Odd.', quietMs: 10, now: () => time })
    for (const about of ['a', 'a', 'b', 'a']) warn(about, { about })
    expect(said()).toEqual(['warn Odd. {"about":"a"}', 'warn Odd. {"about":"b"}'])
    time = 10
    warn('a', {})
    expect(said()).toHaveLength(3)
  })
})

describe('describeThrown', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  it.each([
    [new NotFoundError({ message: 'Gone.' }), 'not_found: Gone.'],
    [new TypeError('x is undefined'), 'TypeError: x is undefined'],
    [new Error('at postgres://ana:hunter2@db'), 'Error: at postgres://ana:****@db'],
    [new AggregateError([new Error('refused')], ''), 'Error: refused'],
    ['a text', 'a text'],
    [{ message: 'a message' }, 'a message'],
    [{ status: 503 }, '{"status":503}'],
    [circle, '[object Object]'],
    [undefined, 'undefined'],
  ])('says what %j is', (thrown, text) => {
    expect(describeThrown(thrown)).toBe(text)
  })
})
