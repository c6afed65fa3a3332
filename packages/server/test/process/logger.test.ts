import { describe, expect, it } from 'vitest'
import { createProcessLogger } from '../../src/process.js'

function captured(level: 'debug' | 'info' | 'silent') {
  const lines: Record<string, unknown>[] = []
  const logger = createProcessLogger({
    level,
    format: 'json',
    service: 'loam-test',
    destination: {
      write: (line) => {
        lines.push(JSON.parse(line) as Record<string, unknown>)
      },
    },
  })
  return { logger, lines }
}

describe('createProcessLogger', () => {
  it('writes JSON lines with their fields, and those of its parents', () => {
    const { logger, lines } = captured('debug')
    logger.child({ part: 'relay' }).warn('lease-lost', { attempt: 2 })
    logger.debug('idle')
    expect(lines).toMatchObject([
      { level: 40, service: 'loam-test', part: 'relay', attempt: 2, msg: 'lease-lost' },
      { level: 20, msg: 'idle' },
    ])
  })

  it('writes errors with their stack', () => {
    const { logger, lines } = captured('info')
    logger.error('failed', { error: new TypeError('no') })
    expect(lines).toMatchObject([{ error: { type: 'TypeError', message: 'no' } }])
    expect(lines[0]).toHaveProperty('error.stack')
  })

  it.each([
    ['a text', 'a text'],
    ['at redis://:hunter2@cache', 'at redis://:****@cache'],
    [{ status: 503 }, { type: 'Object', message: '{"status":503}' }],
    [
      { name: 'TypeError', message: 'no' },
      { type: 'TypeError', message: 'no' },
    ],
    [undefined, undefined],
    [null, { type: 'null', message: 'null' }],
    [42, { type: 'number', message: '42' }],
  ])('says what was thrown, were it %j', (error, logged) => {
    const { logger, lines } = captured('info')
    logger.error('failed', { error })
    expect(lines[0]?.['error']).toEqual(logged)
  })

  it('keeps what a driver adds to its error out of the log, and names the causes', () => {
    const { logger, lines } = captured('info')
    const cause = Object.assign(new TypeError('Invalid URL'), {
      code: 'ERR_INVALID_URL',
      input: 'postgres://ana:hunter2@db:x',
    })
    const error = new Error('Not opened.', { cause })
    cause.cause = error
    logger.error('failed', { error })
    expect(JSON.stringify(lines)).not.toContain('hunter2')
    expect(lines).toMatchObject([
      { error: { message: 'Not opened.', cause: { type: 'TypeError', code: 'ERR_INVALID_URL' } } },
    ])
  })

  it('writes text for people, where that is wanted', () => {
    let text = ''
    const logger = createProcessLogger({
      level: 'info',
      format: 'text',
      service: 'loam-test',
      destination: { write: (line) => void (text += line) },
    })
    logger.warn('slow', { ms: 12 })
    expect(text).toMatch(/^\d\d:\d\d:\d\d {2}WARN {2}slow {2}ms=12\n$/)
  })

  it.each([
    ['info', 2],
    ['silent', 0],
  ] as const)('leaves out what is below the level %s', (level, count) => {
    const { logger, lines } = captured(level)
    logger.debug('x')
    logger.info('y')
    logger.error('z')
    expect(lines).toHaveLength(count)
  })
})
