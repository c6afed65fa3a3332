/** Exit code of a process that was interrupted, by convention 128 and the number of SIGINT. */
const INTERRUPTED = 130

/** A signal that aborts when the process is told to stop. Told twice, the process ends at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}
