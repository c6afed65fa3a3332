/** How long one may wait. */
export interface TimeLimit {
  readonly timeoutMs: number
  /** Made when the time is over. */
  readonly timeoutError: () => Error
  /** End the wait with their reason. */
  readonly signals?: readonly AbortSignal[]
}

/** Settles as the work does, unless the time is over or a signal is aborted first; the work itself goes on. */
export async function within<Result>(
  work: PromiseLike<Result>,
  { timeoutMs, timeoutError, signals = [] }: TimeLimit,
): Promise<Result> {
  const listening = new AbortController()
  const { signal: listens } = listening
  const end = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), timeoutMs)
    listens.addEventListener('abort', () => clearTimeout(timer))
    for (const signal of signals) {
      const abort = (): void => reject(signal.reason as Error)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { signal: listens })
    }
  })
  try {
    return await Promise.race([work, end])
  } finally {
    listening.abort()
  }
}

/** Whether the work settles within the time. */
export async function settlesWithin(
  work: PromiseLike<unknown>,
  timeoutMs: number,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  const settled = Promise.allSettled([work]).then(() => true)
  const result = await Promise.race([settled, late])
  clearTimeout(timer)
  return result
}
