import { describeStorage } from '@loam/storage/testing'
import { describe } from 'vitest'
import { createTestStorage, postgresTestUrl } from '../src/testing/index.js'

describe.skipIf(postgresTestUrl() === undefined)('with a server', () => {
  describeStorage({
    name: 'postgres',
    createStorage: () => createTestStorage({ engine: 'postgres' }),
  })
})
