import { describe, expect, it } from 'vitest'
import { createJsonLogger } from '../../src/node.js'

function captured(level: 'debug' | 'info' | 'silent') {
  const lines: Record<string, unknown>[] = []
  const logger = createJsonLogger({
    level,
    service: 'loam-test',
    destination: {
      write: (line) => {
        lines.push(JSON.parse(line) as Record<string, unknown>)
      },
    },
  })
  return { logger, lines }
}

describe('createJsonLogger', () => {
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
