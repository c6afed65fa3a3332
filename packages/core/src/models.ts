import type { z } from 'zod'
import type { AbortableOptions } from './abort.js'
import type { Scope } from './scope.js'

/** On whose behalf and for what a model is called, so that its cost has an owner. */
export interface ModelCallContext extends AbortableOptions {
  /** With the agent `''` for what is done for a tenant and no agent in particular. */
  readonly scope: Scope
  /** What the call is for, such as `episode.summarise` or `memory.search`. */
  readonly task: string
  readonly runId?: string | undefined
  readonly jobId?: string | undefined
  /**
   * Told once of each request that the provider may bill, before its answer is read: what it cost, or undefined when the
   * provider does not say. A call can be several requests. One of which nothing is told cost nothing.
   */
  readonly onUsage?: ((usage: ModelUsage | undefined) => void) | undefined
}

/** One message to a chat model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What a chat call asks for. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  /** Upper bound of the answer, in tokens. Default: the model's own. */
  readonly maxOutputTokens?: number
  /** 0 to 2. Default: the model's own. */
  readonly temperature?: number
  /** Longest wait for the whole answer. Default: the client's own. */
  readonly timeoutMs?: number
}

/** Tokens that a request used, as the provider counts them. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a chat model answered. */
export interface ChatResult {
  readonly text: string
  readonly finishReason: 'stop' | 'length' | 'content_filter' | 'other'
  /** Undefined when the provider does not say. */
  readonly usage?: ModelUsage
}

/**
 * A chat model. Throws `ModelError`, `ModelOutputError` when an answer does not fit its schema, or `LimitError` when a budget
 * is used up.
 */
export interface ChatModel {
  /** Who serves the model, such as `openai-compatible`. */
  readonly provider: string
  readonly model: string
  /** Answers in free text. */
  chat(request: ChatRequest, context: ModelCallContext): Promise<ChatResult>
  /** Answers with a value of `schema`; malformed output is repaired once, then refused. */
  chatObject<Schema extends z.ZodType>(
    request: ChatRequest & { readonly schema: Schema; readonly schemaName: string },
    context: ModelCallContext,
  ): Promise<z.infer<Schema>>
}

/** A message of a conversation with tools, in the shape of OpenAI's API, which other providers have taken over. */
export type CompletionMessage = { readonly role: string } & Readonly<Record<string, unknown>>

/** What one step of a conversation with tools asks for. */
export interface CompletionRequest {
  readonly messages: readonly CompletionMessage[]
  /** As `toOpenAiTools` makes them. Default: none. */
  readonly tools?: readonly unknown[] | undefined
  /** What else the API takes, such as `temperature` or `tool_choice`; passed on as it is. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** Longest wait for the whole answer. Default: the client's own. */
  readonly timeoutMs?: number | undefined
}

/** What the step came to. */
export interface CompletionResult {
  readonly text: string
  readonly toolCalls: readonly {
    readonly id: string
    readonly name: string
    /** JSON text, as the model wrote it. */
    readonly arguments: string
  }[]
  /** `stop`, `tool_calls`, `length`, `content_filter`, or what the provider calls it. */
  readonly finishReason: string
  /** Undefined when the provider does not say. */
  readonly usage?: ModelUsage | undefined
}

/**
 * A chat model that may call tools and tells its text while it is written. Throws `ModelError`, or `LimitError` when a budget is
 * used up. Once text was told, a failure is final: what was told cannot be taken back.
 */
export interface CompletionModel {
  /** Who serves the model, such as `openai-compatible`. */
  readonly provider: string
  readonly model: string
  complete(
    request: CompletionRequest,
    context: ModelCallContext & { readonly onText?: ((text: string) => void) | undefined },
  ): Promise<CompletionResult>
}

/** How far the vectors of a model can be trusted in a fused search (spec 09, "Found to hurt"). */
export interface EmbeddingTrust {
  /** Weight of the vector channel, 0 to 1; words get the rest. A strong model has 0.7. */
  readonly vectorWeight: number
  /** Cosine similarity below which a vector hit counts as none, −1 to 1. */
  readonly minSimilarity: number
}

/** Turns texts into vectors. Throws `ModelError`, or `LimitError` when a budget is used up. */
export interface EmbeddingModel {
  /** Who serves the model, such as `loam-local` or `openai-compatible`. */
  readonly provider: string
  readonly model: string
  /** Length of every vector. */
  readonly dimensions: number
  readonly trust: EmbeddingTrust
  /** Languages in which meaning is searched, as BCP 47 tags; undefined when the model does not say. */
  readonly languages?: readonly string[]
  /** Whether a call leaves this process; a call that does not costs nothing and is not recorded. */
  readonly remote: boolean
  /**
   * One vector of `dimensions` numbers for each text, in order.
   *
   * Zeros stand for a text that has no meaning to search by, now or later: one without a known word, or one that the model
   * refuses for good while it takes others. They are like no query, and are not asked for again; the model logs a refusal.
   *
   * @throws VectorDimensionError when the model answers with vectors of another length.
   * @throws ModelOutputError when it does not answer with one vector for each text.
   */
  embed(
    texts: readonly string[],
    context: ModelCallContext,
  ): Promise<readonly (readonly number[])[]>
}
