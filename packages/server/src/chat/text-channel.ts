/** Text on its way from who tells it to who takes it, at the pace of either. */
export interface TextChannel {
  readonly push: (text: string) => void
  readonly end: () => void
  /** Resolves with the first text; never, when there is none. */
  readonly begun: Promise<void>
  /** What was told, until the end. Texts that were not taken in time come as one. */
  texts(): AsyncIterable<string>
}

/** Makes a channel for one taker. */
export function createTextChannel(): TextChannel {
  let waiting = ''
  let hasEnded = false
  let wake: (() => void) | undefined
  let begin: (() => void) | undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  return {
    begun,
    push: (text) => {
      waiting += text
      begin?.()
      wake?.()
    },
    end: () => {
      hasEnded = true
      wake?.()
    },
    async *texts() {
      while (true) {
        if (waiting !== '') {
          const text = waiting
          waiting = ''
          yield text
        } else if (hasEnded) return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}
