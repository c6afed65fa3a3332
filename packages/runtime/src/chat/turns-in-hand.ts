import { StillAnsweringError, type AbortableOptions } from '@loam/core'

const RETRY_AFTER_MS = 1_000

/** What tells turns of one conversation apart. */
export interface TurnNames {
  /** Of whom and where the turn is. */
  readonly conversation: readonly string[]
  /** See `ChatTurnRequest.turnId`. */
  readonly turnId: string | undefined
  /** Fingerprint of what is said. */
  readonly said: string
}

/** The turns that one process is answering. */
export interface TurnsInHand {
  /**
   * Does the work of a turn. The same words wait for the turn that says them already: if it is answered, they are said a second
   * time; if it fails, they are what was not answered.
   *
   * @throws StillAnsweringError when a turn of this name is in hand.
   */
  hold<Result>(
    names: TurnNames,
    work: () => Promise<Result>,
    options: AbortableOptions,
  ): Promise<Result>
}

/** Makes an empty `TurnsInHand`. */
export function createTurnsInHand(): TurnsInHand {
  const named = new Set<string>()
  const spoken = new Map<string, Promise<unknown>>()

  async function holdWords<Result>(
    words: string,
    work: () => Promise<Result>,
    { signal }: AbortableOptions,
  ): Promise<Result> {
    for (let before = spoken.get(words); before !== undefined; before = spoken.get(words)) {
      await untilEither(before, signal)
      signal?.throwIfAborted()
    }
    const turn = work()
    spoken.set(words, turn)
    try {
      return await turn
    } finally {
      spoken.delete(words)
    }
  }

  return {
    async hold({ conversation, turnId, said }, work, options) {
      const words = JSON.stringify([...conversation, said])
      if (turnId === undefined) return await holdWords(words, work, options)
      const name = JSON.stringify([...conversation, turnId])
      if (named.has(name)) throw stillAnswering(turnId)
      named.add(name)
      try {
        return await holdWords(words, work, options)
      } finally {
        named.delete(name)
      }
    },
  }
}

async function untilEither(turn: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      signal?.removeEventListener('abort', end)
      resolve()
    }
    turn.then(end, end)
    signal?.addEventListener('abort', end)
  })
}

function stillAnswering(turnId: string): StillAnsweringError {
  return new StillAnsweringError({
    message: `A request with the idempotency key "${turnId}" is still being answered. Ask again when it has ended: it is answered once, and told to both.`,
    retryAfterMs: RETRY_AFTER_MS,
  })
}
