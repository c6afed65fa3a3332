import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Names a process so that another one with the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** The space in which the number counts, such as that of a container; undefined where there is no `/proc`. */
  readonly pidNamespace?: string | undefined
  /** When it started, in the kernel's ticks since it booted; undefined where there is no `/proc`. */
  readonly startedAt?: string | undefined
  /** Names the run of the machine in which the ticks count. */
  readonly bootId?: string | undefined
}

/** The identity of this process. */
export async function processIdentity(): Promise<ProcessIdentity> {
  return {
    pid: process.pid,
    host: hostname(),
    pidNamespace: await pidNamespace(),
    startedAt: await startOf(process.pid),
    bootId: await bootId(),
  }
}

/** Whether that process runs; undefined when that cannot be seen from here. */
export async function isSameProcessAlive(other: ProcessIdentity): Promise<boolean | undefined> {
  const { host, pidNamespace: namespace, startedAt, bootId: boot, pid } = other
  if (namespace === undefined || startedAt === undefined || boot === undefined) {
    return host === hostname() && !exists(pid) ? false : undefined
  }
  if (boot !== (await bootId())) {
    // The same machine since started again has no such process; of another machine nothing is known.
    return host === hostname() && namespace === (await pidNamespace()) ? false : undefined
  }
  if (namespace !== (await pidNamespace())) return undefined
  const start = await startOf(pid)
  // Where `/proc` hides the processes of other users, theirs exist and have no start.
  if (start === undefined && exists(pid)) return undefined
  return start === startedAt
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Field 22 of `/proc/<pid>/stat` (proc(5)); that of a zombie is `ended`; undefined when it cannot be seen. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is the program's name in brackets, and may hold blanks and brackets itself.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? 'ended' : fields?.[19]
}

async function pidNamespace(): Promise<string | undefined> {
  return await readlink('/proc/self/ns/pid').catch(() => undefined)
}

async function bootId(): Promise<string | undefined> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined)
  return text?.trim()
}
