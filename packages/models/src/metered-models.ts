import type {
  ChatModel,
  ChatRequest,
  CompletionModel,
  CompletionRequest,
  EmbeddingModel,
  ModelUsage,
} from '@loam/core'
import { estimateTokens } from '@loam/text'
import { toModelSchema } from './structured-output.js'
import type { TokenPrice } from './token-price.js'
import type { UsageMeter } from './usage-meter.js'

/** How long an answer is taken to be that was given no bound. */
const UNBOUNDED_OUTPUT_TOKENS = 1024
/** What surrounds each message: its role and its borders, a few tokens with every known template. */
const TOKENS_PER_MESSAGE = 4

/** The same chat model, with each call recorded before it is sent, held to the tenant's limits, and priced after. */
export function meteredChatModel(
  model: ChatModel,
  meter: UsageMeter,
  price?: TokenPrice,
): ChatModel {
  const called = { kind: 'chat', provider: model.provider, model: model.model, price } as const
  return {
    provider: model.provider,
    model: model.model,
    chat: (request, context) =>
      meter.measure({ ...called, estimate: estimateOf(request) }, context, async (metered) => {
        let isTold = false
        const onUsage = (usage: ModelUsage | undefined) => {
          isTold = true
          metered.onUsage?.(usage)
        }
        const result = await model.chat(request, { ...metered, onUsage })
        if (!isTold) onUsage(result.usage)
        return result
      }),
    chatObject: (request, context) => {
      const schemaTokens = estimateTokens(JSON.stringify(toModelSchema(request.schema)))
      const { inputTokens, outputTokens } = estimateOf(request)
      const estimate = { inputTokens: inputTokens + schemaTokens, outputTokens }
      return meter.measure({ ...called, estimate }, context, (metered) =>
        model.chatObject(request, metered),
      )
    },
  }
}

/** The same completion model, metered likewise. */
export function meteredCompletionModel(
  model: CompletionModel,
  meter: UsageMeter,
  price?: TokenPrice,
): CompletionModel {
  const { provider, model: name } = model
  const called = { kind: 'chat', provider, model: name, price } as const
  return {
    provider,
    model: name,
    complete: (request, context) =>
      meter.measure({ ...called, estimate: estimateCompletion(request) }, context, (metered) =>
        model.complete(request, { ...metered, onText: context.onText }),
      ),
  }
}

/** The same embedding model, metered likewise if its calls leave the process; they cost nothing where they do not. */
export function meteredEmbeddingModel(
  model: EmbeddingModel,
  meter: UsageMeter,
  price?: TokenPrice,
): EmbeddingModel {
  if (!model.remote) return model
  const { provider, model: name, dimensions, trust, languages } = model
  const called = { kind: 'embedding', provider, model: name, price } as const
  return {
    provider,
    model: name,
    dimensions,
    trust,
    ...(languages && { languages }),
    remote: true,
    embed: (texts, context) => {
      const inputTokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
      const estimate = { inputTokens, outputTokens: 0 }
      return meter.measure({ ...called, estimate }, context, (metered) =>
        model.embed(texts, metered),
      )
    },
  }
}

/** Pictures are counted as the text that stands for them, which is too little; what is charged in the end is what was used. */
function estimateCompletion({
  messages,
  tools = [],
  parameters = {},
}: CompletionRequest): ModelUsage {
  const { max_completion_tokens: newer, max_tokens: older } = parameters
  const bound = typeof newer === 'number' ? newer : older
  return {
    inputTokens: estimateTokens(JSON.stringify([messages, tools])),
    outputTokens: typeof bound === 'number' && bound > 0 ? bound : UNBOUNDED_OUTPUT_TOKENS,
  }
}

function estimateOf({ messages, maxOutputTokens }: ChatRequest): ModelUsage {
  const inputTokens = messages.reduce(
    (sum, { content }) => sum + TOKENS_PER_MESSAGE + estimateTokens(content),
    0,
  )
  return { inputTokens, outputTokens: maxOutputTokens ?? UNBOUNDED_OUTPUT_TOKENS }
}
