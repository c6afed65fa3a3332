import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Context } from './prompt.js'

/** One turn: what the user said, and all that the model does until it has answered. */
export interface Turn {
  readonly id: string
  /** Of all calls of the model so far. */
  readonly usage: { inputTokens: number; outputTokens: number }
  context?: Context
  /** How often the model was called. */
  steps: number
}

/** Most turns that are remembered because a tool is still to answer. */
const MAX_WAITING = 1_000

/** Finds the turn that a prompt belongs to. */
export interface Turns {
  /** The turn that waits for the results of these calls, or was begun with this very prompt, or else a new one. */
  of(prompt: LanguageModelV3Prompt, answeredCalls: readonly string[]): Turn
  /** Remembers that a turn goes on when these calls are answered. */
  wait(turn: Turn, calls: readonly string[]): void
}

/** Makes an empty memory of turns. */
export function createTurns(): Turns {
  // A call of the model that failed is tried again with the same prompt.
  const begun = new WeakMap<LanguageModelV3Prompt, Turn>()
  const waiting = new Map<string, Turn>()
  return {
    of(prompt, answeredCalls) {
      const known = begun.get(prompt) ?? firstOf(answeredCalls, waiting)
      const turn = known ?? {
        id: crypto.randomUUID(),
        usage: { inputTokens: 0, outputTokens: 0 },
        steps: 0,
      }
      begun.set(prompt, turn)
      return turn
    },
    wait(turn, calls) {
      for (const call of calls) waiting.set(call, turn)
      for (const [call] of waiting) {
        if (waiting.size <= MAX_WAITING) break
        waiting.delete(call)
      }
    },
  }
}

function firstOf(calls: readonly string[], turns: ReadonlyMap<string, Turn>): Turn | undefined {
  return calls.map((call) => turns.get(call)).find((turn) => turn !== undefined)
}
