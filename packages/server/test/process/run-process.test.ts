import { StorageUnavailableError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { describeFatal } from '../../src/process/run-process.js'

describe('describeFatal', () => {
  it('is one line with the code', () => {
    const error = new StorageUnavailableError({ message: 'postgres://u:hunter2@db is away.' })
    expect(describeFatal('loam-api', error, 'info')).toBe(
      'loam-api: postgres://u:****@db is away. (storage_unavailable)',
    )
  })

  it('shows where a fault of the program is at debug level only', () => {
    const error = new TypeError('x is undefined')
    expect(describeFatal('loam-api', error, 'info')).toBe(
      'loam-api: TypeError: x is undefined (internal_error). LOAM_LOG_LEVEL=debug says where.',
    )
    expect(describeFatal('loam-api', error, 'debug')).toContain('\n    at ')
  })
})
