/**
 * Ends this process as SIGTERM would when the npm that started it is gone. npm passes a signal to the shell between
 * the two only, so a server that is stopped through `npm start` would run on.
 */
export function endWithNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}
