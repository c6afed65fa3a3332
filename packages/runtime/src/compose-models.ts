import type { ChatModel, EmbeddingModel } from '@loam/core'
import {
  createLocalEmbeddings,
  createOpenAiChatModel,
  createOpenAiEmbeddingModel,
  probeDimensions,
  type EndpointOptions,
} from '@loam/models'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import type { LoamConfig } from './config.js'
import {
  recordedChatModel,
  recordedEmbeddingModel,
  type RecordingOptions,
} from './recorded-models.js'

/** The models that an installation uses. */
export interface RuntimeModels {
  readonly embeddings: EmbeddingModel
  readonly chat: ChatModel | undefined
}

/** What may be given in place of what the configuration names. */
export type GivenModels = {
  readonly [Name in keyof RuntimeModels]?: RuntimeModels[Name] | undefined
}

/** Makes the models that the configuration names, and records the calls of those that leave the process. */
export async function composeModels(
  config: LoamConfig['model'],
  given: GivenModels,
  recording: RecordingOptions & { readonly storage: Pick<Storage, 'transaction'> },
): Promise<RuntimeModels> {
  const chat = given.chat ?? chatModelOf(config)
  const embeddings = given.embeddings ?? (await embeddingModelOf(config, recording.storage))
  return {
    chat: chat && recordedChatModel(chat, recording),
    embeddings: recordedEmbeddingModel(embeddings, recording),
  }
}

function endpointOf({ baseUrl, apiKey }: LoamConfig['model'], model: string): EndpointOptions {
  return { baseUrl: baseUrl ?? '', apiKey, model }
}

function chatModelOf(config: LoamConfig['model']): ChatModel | undefined {
  return config.chatModel === undefined
    ? undefined
    : createOpenAiChatModel(endpointOf(config, config.chatModel))
}

async function embeddingModelOf(
  config: LoamConfig['model'],
  storage: Pick<Storage, 'transaction'>,
): Promise<EmbeddingModel> {
  if (config.embeddingModel === undefined) return createLocalEmbeddings()
  const endpoint = endpointOf(config, config.embeddingModel)
  const dimensions =
    config.embeddingDimensions ??
    (await storedDimensions(config.embeddingModel, storage)) ??
    (await probeDimensions(endpoint, { scope: NO_SCOPE, task: 'embeddings.probe' }))
  return createOpenAiEmbeddingModel({ ...endpoint, dimensions })
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const NO_SCOPE = { tenantId: DEFAULT_TENANT_ID, agentId: NIL_UUID, userId: '' }

/** The length that the model's vectors have in the store, so that a start needs no answer of the model. */
async function storedDimensions(
  model: string,
  storage: Pick<Storage, 'transaction'>,
): Promise<number | undefined> {
  const spaces = await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    ({ embeddingSpaces }) => embeddingSpaces.list(),
  )
  const lengths = spaces
    .filter((space) => space.provider === 'openai-compatible' && space.model === model)
    .map(({ dimensions }) => dimensions)
  return lengths.length === 1 ? lengths[0] : undefined
}
