import type {
  ChatModel,
  Clock,
  CompletionModel,
  EmbeddingModel,
  GenerateId,
  Logger,
} from '@loam/core'
import {
  createLocalEmbeddings,
  createOpenAiChatModel,
  createOpenAiCompletionModel,
  createOpenAiEmbeddingModel,
  createUsageMeter,
  meteredChatModel,
  meteredCompletionModel,
  meteredEmbeddingModel,
  probeDimensions,
  type EndpointOptions,
  type UsageMeter,
} from '@loam/models'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import type { LoamConfig } from './config.js'
import {
  createModelWatch,
  watchedChatModel,
  watchedCompletionModel,
  watchedEmbeddingModel,
} from './model-watch.js'

/** The models that an installation uses. */
export interface RuntimeModels {
  readonly embeddings: EmbeddingModel
  readonly chat: ChatModel | undefined
  /** The same model, for conversations with tools. */
  readonly completion: CompletionModel | undefined
  /** Why one of them cannot be used at present, and what to do; undefined while nothing is known against it. */
  readonly trouble: {
    readonly chat: string | undefined
    readonly embeddings: string | undefined
  }
}

/** What may be given in place of what the configuration names. */
export type GivenModels = {
  readonly [Name in Exclude<keyof RuntimeModels, 'trouble'>]?: RuntimeModels[Name] | undefined
}

/** What the models are composed with. */
export interface ComposeModelsOptions {
  readonly storage: Pick<Storage, 'transaction' | 'modelCalls'>
  readonly clock: Clock
  readonly generateId: GenerateId
  readonly logger: Logger
}

const NANO_USD = 1e9

/**
 * Makes the models that the configuration names. The calls of those that leave the process are recorded, priced, and held to
 * the limits.
 */
export async function composeModels(
  config: LoamConfig['model'],
  given: GivenModels,
  options: ComposeModelsOptions,
): Promise<RuntimeModels> {
  const { dailyTokenLimit: tokens, dailyCostLimitUsd: usd } = config
  const costNanoUsd = usd === undefined ? undefined : Math.round(usd * NANO_USD)
  const meter = createUsageMeter({ ...options, limits: { tokens, costNanoUsd } })
  const chat = given.chat ?? chatModelOf(config)
  const completion = given.completion ?? completionModelOf(config)
  const embeddings = given.embeddings ?? (await embeddingModelOf(config, meter, options))
  const { clock, logger } = options
  const watch = (setting: string, model = '') => createModelWatch({ setting, model, clock, logger })
  const chatWatch = watch('LOAM_CHAT_MODEL', chat?.model ?? completion?.model)
  const embeddingsWatch = watch('LOAM_EMBEDDING_MODEL', embeddings.model)
  // Watched from outside the meter: a call that is not made is not recorded.
  return {
    chat: chat && watchedChatModel(meteredChatModel(chat, meter, config.chatPrice), chatWatch),
    completion:
      completion &&
      watchedCompletionModel(
        meteredCompletionModel(completion, meter, config.chatPrice),
        chatWatch,
      ),
    embeddings: watchedEmbeddingModel(
      meteredEmbeddingModel(embeddings, meter, embeddingPriceOf(config)),
      embeddingsWatch,
    ),
    trouble: {
      get chat() {
        return chatWatch.trouble
      },
      get embeddings() {
        return embeddingsWatch.trouble
      },
    },
  }
}

function endpointOf(
  { baseUrl, apiKey, concurrency }: LoamConfig['model'],
  model: string,
): EndpointOptions {
  return { baseUrl: baseUrl ?? '', apiKey, model, maxConcurrency: concurrency }
}

function chatModelOf(config: LoamConfig['model']): ChatModel | undefined {
  return config.chatModel === undefined
    ? undefined
    : createOpenAiChatModel(endpointOf(config, config.chatModel))
}

function completionModelOf(config: LoamConfig['model']): CompletionModel | undefined {
  return config.chatModel === undefined
    ? undefined
    : createOpenAiCompletionModel(endpointOf(config, config.chatModel))
}

async function embeddingModelOf(
  config: LoamConfig['model'],
  meter: UsageMeter,
  { storage, logger }: ComposeModelsOptions,
): Promise<EmbeddingModel> {
  if (config.embeddingModel === undefined) return createLocalEmbeddings()
  const endpoint = endpointOf(config, config.embeddingModel)
  const dimensions =
    config.embeddingDimensions ??
    (await storedDimensions(config.embeddingModel, storage)) ??
    (await probedDimensions(endpoint, config, meter))
  return createOpenAiEmbeddingModel({ ...endpoint, dimensions, logger })
}

function embeddingPriceOf({ embeddingPrice }: LoamConfig['model']) {
  return embeddingPrice === undefined ? undefined : { input: embeddingPrice }
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const NO_SCOPE = { tenantId: DEFAULT_TENANT_ID, agentId: NIL_UUID, userId: '' }
/** What the one word costs that is asked about. */
const PROBE_ESTIMATE = { inputTokens: 2, outputTokens: 0 }

async function probedDimensions(
  endpoint: EndpointOptions,
  config: LoamConfig['model'],
  meter: UsageMeter,
): Promise<number> {
  return meter.measure(
    {
      kind: 'embedding',
      provider: 'openai-compatible',
      model: endpoint.model,
      estimate: PROBE_ESTIMATE,
      price: embeddingPriceOf(config),
    },
    { scope: NO_SCOPE, task: 'embeddings.probe' },
    (context) => probeDimensions(endpoint, context),
  )
}

/** The length that the model's vectors have in the store, so that a start needs no answer of the model. */
async function storedDimensions(
  model: string,
  storage: Pick<Storage, 'transaction' | 'modelCalls'>,
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
