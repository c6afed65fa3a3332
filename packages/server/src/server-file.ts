import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '@loam/core'
import { z } from 'zod'

const FILE_NAME = 'server.json'

// A key is sent to where the file says, and a folder may be somebody else's: only this machine is believed.
const runningServerSchema = z.object({
  url: z.url().refine(isOnThisMachine),
  pid: z.int().positive(),
})

/** Where a running server answers, and which process it is. */
export type RunningServer = z.infer<typeof runningServerSchema>

/**
 * Writes down in the home folder where this process serves.
 *
 * @throws ConfigurationError when it cannot be written there.
 */
export async function announceServer(home: string, server: RunningServer): Promise<void> {
  const path = join(home, FILE_NAME)
  const draft = `${path}.${server.pid}`
  try {
    await mkdir(home, { recursive: true })
    // A reader sees the old file or the new one, never half of one.
    await writeFile(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 })
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {})
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    const message = `Cannot write ${path} (${code}). Remove what stands there, or set LOAM_HOME to a folder that this process may write into.`
    throw new ConfigurationError({ message, issues: [{ path: 'LOAM_HOME', message }], cause })
  }
}

/** Removes what `announceServer` wrote, unless another server has written there since. */
export async function withdrawServer(home: string, server: RunningServer): Promise<void> {
  const announced = await readServerFile(home)
  if (announced?.pid !== server.pid || announced.url !== server.url) return
  await rm(join(home, FILE_NAME), { force: true })
}

/** The server that says it runs on this home folder; undefined when there is none or its process is gone. */
export async function findServer(home: string): Promise<RunningServer | undefined> {
  const announced = await readServerFile(home)
  return announced !== undefined && isRunning(announced.pid) ? announced : undefined
}

async function readServerFile(home: string): Promise<RunningServer | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(join(home, FILE_NAME), 'utf8'))
    return runningServerSchema.safeParse(content).data
  } catch {
    return undefined
  }
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
