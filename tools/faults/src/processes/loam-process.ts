import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { until } from '../until.js'
import { appCode, repositoryRoot, type App } from './app-code.js'

/** A process of Loam. */
export interface LoamProcess {
  /** For people, such as `worker 2`. */
  readonly name: string
  readonly app: App
  /** Where it answers: the API, or a worker's health checks. */
  readonly url: string
  readonly isRunning: boolean
  /** What it said, oldest first. */
  readonly log: readonly string[]
  /** Ends it without a word (SIGKILL). */
  kill(): Promise<void>
  /** Tells it to end (SIGTERM). */
  tellToStop(): void
  /** How it ended, when it has: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  /** Resolves when it has logged that message. */
  logged(message: string): Promise<void>
}

/** What is kept of a log. */
const LINES = 200

/** How to start one. */
export interface StartProcessOptions {
  readonly name: string
  readonly app: App
  /** Its `LOAM_…` variables; those of this process are left out. */
  readonly settings: Readonly<Record<string, string>>
}

/** Starts an app as a process of its own, and resolves when it says where it answers. */
export async function startProcess({
  name,
  app,
  settings,
}: StartProcessOptions): Promise<LoamProcess> {
  const code = (await appCode())(app)
  const child = spawn(process.execPath, code, {
    cwd: repositoryRoot,
    env: { ...withoutSettings(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const ended = once(child, 'close').then(([exitCode, signal]) => {
    process.off('exit', killAtExit)
    return (exitCode ?? signal) as number | string
  })
  const log: string[] = []
  let url: string | undefined
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.push(line)
      if (log.length > LINES) log.shift()
      url ??= fieldOf(line, 'url')
    })
  }
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const diagnose = async () => `${name} said:\n${log.join('\n')}`
  await until(
    `${name} answers`,
    () => {
      if (url === undefined && !isRunning()) throw new Error(`${name} ended.\n${log.join('\n')}`)
      return url
    },
    { diagnose },
  )
  return {
    name,
    app,
    url: url ?? '',
    get isRunning() {
      return isRunning()
    },
    log,
    ended,
    kill: () => kill(child, ended),
    tellToStop: () => void child.kill('SIGTERM'),
    logged: async (message) => {
      await until(
        `${name} logs "${message}"`,
        () => log.some((l) => fieldOf(l, 'msg') === message),
        {
          diagnose,
        },
      )
    },
  }
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

function fieldOf(line: string, field: 'msg' | 'url'): string | undefined {
  try {
    const value = (JSON.parse(line) as Readonly<Record<string, unknown>>)[field]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:LOAM_|VITEST|NODE_OPTIONS)/.test(name)),
  )
}
