import type { CompletionMessage, ModelUsage } from '@loam/core'
import type { Agent } from '@loam/storage'

/** One turn of a conversation that a client keeps itself, in the shape of OpenAI's API. */
export interface ChatTurnRequest {
  readonly tenantId: string
  readonly agent: Agent
  readonly userId: string
  /** Key of the session that the turn belongs to. */
  readonly sessionKey: string
  /** The conversation as the client has it; what comes after the last answer is new. */
  readonly messages: readonly CompletionMessage[]
  /** Tools of the client's own. A call of one ends the turn, and the client goes on with its results. */
  readonly tools?: readonly unknown[] | undefined
  /** What else the API takes, such as `temperature`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** Names the turn; one that is sent again is stored once, and answered as before. Default: a new one each time. */
  readonly turnId?: string | undefined
}

/** What a turn came to. */
export interface ChatTurnResult {
  readonly text: string
  /** Calls of the client's own tools. */
  readonly toolCalls: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: string
  }[]
  readonly finishReason: string
  /** Of all requests to the model; undefined when one of them did not say. */
  readonly usage: ModelUsage | undefined
  readonly warnings: readonly string[]
}
