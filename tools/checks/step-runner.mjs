/**
 * Runs steps one after another, tells the name of each before and its time after, and remembers those that failed.
 * After an interruption (Ctrl-C) no further step starts, and the caller can still clean up.
 */
export function createStepRunner() {
  /** @type {string[]} */
  const failedSteps = []
  let isInterrupted = false
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    // The command that runs gets the signal too, and ends.
    process.on(signal, () => {
      isInterrupted = true
    })
  }

  /**
   * @param {string} name
   * @param {() => Promise<boolean>} step tells whether it passed; an error counts as failed
   */
  async function runStep(name, step) {
    if (isInterrupted) return false
    console.log(`\n▶ ${name}`)
    const started = performance.now()
    const passed = await step().catch((error) => {
      console.log(error instanceof Error ? error.message : error)
      return false
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${passed ? '✔' : '✘'} ${name} (${seconds} s)`)
    if (!passed || isInterrupted) failedSteps.push(isInterrupted ? `${name}, interrupted` : name)
    return passed
  }

  return { runStep, failedSteps }
}
