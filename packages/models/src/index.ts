export type { EndpointOptions } from './endpoint.js'
export { createLocalEmbeddings, type LocalEmbeddingsOptions } from './local-embeddings.js'
export { createOpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js'
export {
  createOpenAiEmbeddingModel,
  probeDimensions,
  type OpenAiEmbeddingModelOptions,
} from './openai-embedding-model.js'
