export { createApiClient, type ApiClient, type Send } from './api/api-client.js'
export { ApiError } from './api/api-error.js'
export { connect, type Connection, type ConnectOptions } from './api/connect.js'
export { ensureAgent } from './api/ensure-agent.js'
export { route, withQuery } from './api/route.js'
export type { EpisodeItem, FoundItem, FoundItems } from './api/shapes.js'
export {
  importConversations,
  type BadRecordReport,
  type ImportOptions,
  type ImportSummary,
} from './import-conversations.js'
export type { ImportedMessage, ImportedSession, ImportRecord } from './importers/import-record.js'
export {
  readLocomoSamples,
  type LocomoQuestion,
  type LocomoSample,
} from './importers/locomo-questions.js'
export {
  IMPORT_FORMATS,
  readConversations,
  type Conversations,
  type ImportFormat,
  type ReadConversationsOptions,
} from './importers/read-conversations.js'
export { runCli, type ExitCode } from './run-cli.js'
