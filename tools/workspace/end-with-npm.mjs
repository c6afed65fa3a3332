import { readFileSync } from 'node:fs'

/**
 * Ends this process as SIGTERM would when the npm that started it is gone, were it killed. npm passes a signal to the shell
 * between the two only, so a server that is stopped through `npm start` or `npx loam` would run on.
 */
export function endWithNpm() {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const npm = parentOfShell(parent)
  const watch = setInterval(() => {
    if (process.ppid === parent && parentOfShell(parent) === npm) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

/**
 * Who started a process that is a shell. A shell whose npm was killed goes on waiting for what it runs, and only its parent
 * tells. Undefined for other processes, and where there is no /proc to tell.
 * @param {number} pid
 */
export function parentOfShell(pid) {
  try {
    // "123 (sh) S 122 …"; the name may hold blanks and parentheses.
    const [, name = '', parent] =
      /\((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return /^(?:ba|da|a|z|k)?sh$/.test(name) ? Number(parent) : undefined
  } catch {
    return undefined
  }
}
