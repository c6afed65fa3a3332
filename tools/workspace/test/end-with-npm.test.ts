import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const module = pathToFileURL(join(import.meta.dirname, '..', 'end-with-npm.mjs')).href
/** Says who it is, and would run for a minute. */
const server = `
  import { endWithNpm } from ${JSON.stringify(module)}
  endWithNpm()
  console.log(process.pid)
  setTimeout(() => {}, 60_000)`

/** As npm does: a process that starts a shell, which starts the server and waits for it. */
function startLikeNpm(): ChildProcess {
  const script = `
    const { spawn } = require('node:child_process')
    const command = '"$0" --input-type=module -e "$SERVER"; exit $?'
    spawn('/bin/sh', ['-c', command, process.execPath], { stdio: 'inherit' })`
  return spawn(process.execPath, ['-e', script], {
    env: { ...process.env, SERVER: server, npm_lifecycle_event: 'npx' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

it.skipIf(!existsSync('/proc/self/stat'))(
  'ends with an npm that is killed, though a shell between the two goes on',
  async () => {
    const npm = startLikeNpm()
    const [said] = (await once(npm.stdout!, 'data')) as [Buffer]
    expect(Number(String(said))).toBeGreaterThan(0)
    // The pipe is closed when nobody has it open any more, and so when the server has ended.
    const ended = once(npm.stdout!, 'close')
    npm.kill('SIGKILL')
    await ended
    expect(() => process.kill(Number(String(said)), 0)).toThrow('ESRCH')
  },
)
