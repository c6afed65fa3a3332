import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const script = join(import.meta.dirname, 'bus-process.ts')

/** A process with a bus of its own. */
export interface BusProcess {
  readonly child: ChildProcess
  /** What it has printed. */
  readonly lines: readonly string[]
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
}

/** Starts a process with a bus of its own, from its sources. */
export function runBusProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BusProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=@loam/source', '--import', tsx, script, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  )
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { child, lines, ended: once(child, 'close') }
}
