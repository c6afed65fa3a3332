import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { appFile, nodeArguments, repositoryRoot } from './code.js'

/** A running Loam process. */
export interface LoamProcess {
  /** Where it answers. */
  readonly url: string
  stop(): Promise<void>
}

/** How to start one. */
export interface StartLoamOptions {
  /** Its `LOAM_…` variables; those of this process are left out. */
  readonly settings: Readonly<Record<string, string>>
  /** Folder for a CPU profile that it writes at its end. Default: none. */
  readonly profileFolder?: string | undefined
}

/** Starts the API or a worker as a process of its own, and resolves when it says where it listens. */
export async function startLoam(
  app: 'api' | 'worker',
  { settings, profileFolder }: StartLoamOptions,
): Promise<LoamProcess> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('LOAM_'))
  const profile =
    profileFolder === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${app}.cpuprofile`]
  const child = spawn(process.execPath, [...nodeArguments, ...profile, appFile(app)], {
    cwd: repositoryRoot,
    env: { ...Object.fromEntries(others), LOAM_HOST: '127.0.0.1', LOAM_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await Promise.race([
    listening(child),
    ended.then(([code]) => {
      throw new Error(`The ${app} process ended with ${String(code)} before it listened.`)
    }),
  ])
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Reads the log until it says where the process listens; what follows is read too, or the process would block. */
async function listening(child: ChildProcess): Promise<string> {
  const { stdout } = child
  if (stdout === null) throw new TypeError('The log is not piped.')
  const lines = createInterface({ input: stdout })
  return await new Promise((resolve) => {
    lines.on('line', (line) => {
      const { url } = JSON.parse(line) as { readonly url?: unknown }
      if (typeof url !== 'string') return
      resolve(url)
      lines.close()
      stdout.resume()
    })
  })
}
