import { describeStorage } from '@loam/storage/testing'
import { createTestStorage } from '../src/testing/index.js'

describeStorage({ name: 'pglite', createStorage: () => createTestStorage() })
