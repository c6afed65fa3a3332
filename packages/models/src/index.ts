export type { EndpointOptions } from './endpoint.js'
export { createLocalEmbeddings, type LocalEmbeddingsOptions } from './local-embeddings.js'
export {
  meteredChatModel,
  meteredCompletionModel,
  meteredEmbeddingModel,
} from './metered-models.js'
export { createOpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js'
export {
  createOpenAiEmbeddingModel,
  probeDimensions,
  type OpenAiEmbeddingModelOptions,
} from './openai-embedding-model.js'
export {
  createOpenAiCompletionModel,
  type OpenAiCompletionModelOptions,
} from './openai-completion-model.js'
export type { TokenPrice } from './token-price.js'
export {
  createUsageMeter,
  type MeteredCall,
  type UsageMeter,
  type UsageMeterOptions,
} from './usage-meter.js'
