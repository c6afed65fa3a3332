/** Something that one part raises and another waits for. What is raised while nobody waits is not lost. */
export interface Signal {
  raise(): void
  /** Resolves when it was raised since the last wait, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>
}

/** Makes a signal for one waiter. */
export function createSignal(): Signal {
  let raised = false
  let wake: (() => void) | undefined
  return {
    raise() {
      raised = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = undefined
      }
      raised = false
    },
  }
}
