export { chunkText, type ChunkTextOptions, type TextChunk } from './chunking/chunk-text.js'
export { contentHash } from './content-hash.js'
export { createMemory, type MemoryOptions } from './create-memory.js'
export { EMBEDDING_CONSUMER } from './indexing/prepared-index.js'
export { contentText } from './indexing/message-text.js'
export { DEFAULT_MEMORY_LIMITS, type MemoryLimits } from './limits.js'
export { isMemoryPath, normalizeMemoryPath } from './memory-path.js'
export type {
  Memory,
  MessageInput,
  PreparedIndex,
  PutDocumentResult,
  ScoreExplanation,
  SearchRequest,
  SearchResponse,
  SearchResult,
  SessionInput,
  StoreMessagesResult,
} from './memory.js'
export { DEFAULT_RANKING_WEIGHTS, type RankingWeights } from './ranking/weights.js'
export { createMemoryTools, type MemoryToolsOptions } from './tools/memory-tools.js'
export { mergeHybrid, type HybridCandidate, type MergeHybridOptions } from '@loam/text'
