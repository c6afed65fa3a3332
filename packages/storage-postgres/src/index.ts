export type { MigrateOptions, MigrationResult } from './migrate-engine.js'
export {
  migrate,
  openStorage,
  readSchemaStatus,
  type OpenStorageOptions,
  type PostgresStorage,
} from './open-storage.js'
export { makeOwnFolder, toFolderError } from './own-folder.js'
