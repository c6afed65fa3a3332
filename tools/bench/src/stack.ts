/** Things to close, the last one first. */
export interface Stack {
  defer(close: () => unknown): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes an empty stack; `AsyncDisposableStack`, which Node 20 lacks. What fails to close does not keep the rest open. */
export function createStack(): Stack {
  const closers: (() => unknown)[] = []
  return {
    defer: (close) => closers.push(close),
    async [Symbol.asyncDispose]() {
      const errors: unknown[] = []
      for (const close of closers.splice(0).toReversed()) {
        try {
          await close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be closed.')
    },
  }
}
