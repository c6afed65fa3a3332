import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runCli } from '../src/run-cli.js'

const MAIN = join(import.meta.dirname, '../src/main.ts')

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `loam` in this process, with these `LOAM_` variables and no others. */
export async function runLoam(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const before = { ...process.env }
  let stdout = ''
  let stderr = ''
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text)
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text)
    return true
  })
  try {
    process.env = { ...withoutSettings(), ...env }
    return { code: await runCli(args), stdout, stderr }
  } finally {
    process.env = before
    out.mockRestore()
    err.mockRestore()
  }
}

/** Starts `loam` from its sources as a process of its own. Kill it in the end. */
export function startLoam(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const { command, args: all, ...options } = loamProcess(args, env)
  return spawn(command, all, options)
}

/** How `loam` is started from its sources, for whoever starts it themselves. */
export function loamProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return {
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=@loam/source', MAIN, ...args],
    cwd: import.meta.dirname,
    env: { ...withoutSettings(), NO_COLOR: '1', ...env },
  }
}

/** Tests must not use the settings of the machine that they run on. */
function withoutSettings(): Record<string, string> {
  const others = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('LOAM_') ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(others), LOAM_DISABLE_PERSONAL_SKILLS: 'true' }
}

/** Resolves when the process has ended and all that it printed was read. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** The first line that a process prints on standard output. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const [line, rest] = text.split('\n', 2)
      if (rest !== undefined) resolve(line ?? '')
    })
    child.once('close', (code) =>
      reject(new Error(`It ended with ${code} before it printed a line.`)),
    )
  })
}

/** Calls `use` with a new home folder, which is removed afterwards. */
export async function withHome<Result>(use: (home: string) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'loam-home-'))
  try {
    return await use(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
