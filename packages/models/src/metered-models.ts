import type {
  ChatModel,
  ChatRequest,
  CompletionModel,
  CompletionRequest,
  CompletionResult,
  EmbeddingModel,
  ModelUsage,
} from '@loam/core'
import { estimateTokens } from '@loam/text'
import { toModelSchema } from './structured-output.js'
import type { TokenPrice } from './token-price.js'
import type { MeteredCall, UsageMeter } from './usage-meter.js'

/** How long an answer is taken to be that was given no bound. */
const UNBOUNDED_OUTPUT_TOKENS = 1024
/** What surrounds each message: its role and its borders, a few tokens with every known template. */
const TOKENS_PER_MESSAGE = 4
/** More than any model writes; a bound beyond it would leave the range of what can be counted. */
const MOST_OUTPUT_TOKENS = 1_000_000_000

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
    complete: (request, context) => measureCompletion(model, request, context, { meter, called }),
  }
}

/**
 * An answer of which the provider does not say what it cost, since the caller went away or it never does, costs what was asked and
 * what came of it. The bound that the caller set is no measure: it is reserved, but not charged, or one request that is broken off
 * would use up a day.
 */
function measureCompletion(
  model: CompletionModel,
  request: CompletionRequest,
  context: Parameters<CompletionModel['complete']>[1],
  { meter, called }: { readonly meter: UsageMeter; readonly called: Omit<MeteredCall, 'estimate'> },
): Promise<CompletionResult> {
  const estimate = estimateCompletion(request)
  return meter.measure({ ...called, estimate }, context, async (metered) => {
    const received: string[] = []
    let untold = 0
    const tell = (last: ModelUsage | undefined): void => {
      for (; untold > 0; untold -= 1) metered.onUsage?.(untold === 1 ? last : undefined)
    }
    const receivedUsage = (): ModelUsage => ({
      inputTokens: estimate.inputTokens,
      outputTokens: estimateTokens(received.join('')),
    })
    try {
      const result = await model.complete(request, {
        ...metered,
        onText: (text) => {
          received.push(text)
          context.onText?.(text)
        },
        onUsage: (usage) => {
          if (usage === undefined) untold += 1
          else metered.onUsage?.(usage)
        },
      })
      for (const { name, arguments: given } of result.toolCalls) received.push(name, given)
      tell(receivedUsage())
      return result
    } catch (error) {
      tell(context.signal?.aborted ? receivedUsage() : undefined)
      throw error
    }
  })
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
    outputTokens:
      typeof bound === 'number' && bound > 0
        ? Math.min(Math.ceil(bound), MOST_OUTPUT_TOKENS)
        : UNBOUNDED_OUTPUT_TOKENS,
  }
}

function estimateOf({ messages, maxOutputTokens }: ChatRequest): ModelUsage {
  const inputTokens = messages.reduce(
    (sum, { content }) => sum + TOKENS_PER_MESSAGE + estimateTokens(content),
    0,
  )
  return { inputTokens, outputTokens: maxOutputTokens ?? UNBOUNDED_OUTPUT_TOKENS }
}
