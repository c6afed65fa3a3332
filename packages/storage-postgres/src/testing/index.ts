export { migratedSnapshot } from './pglite-snapshot.js'
export { createTestDatabase, type TestDatabase } from './postgres-database.js'
export { postgresTestUrl } from './postgres-url.js'
export { createTestStorage, withStorage, type TestStorageOptions } from './test-storage.js'
