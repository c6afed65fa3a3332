import { StoreInUseError } from '@loam/core'
import { randomUUID } from 'node:crypto'
import { link, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIdentity, isSameProcessAlive, type ProcessIdentity } from './process-identity.js'

export interface FolderLockOptions {
  /** How often the holder shows that it lives. Default 1 second. */
  readonly heartbeatMs?: number
  /**
   * How long a holder may be silent whose process cannot be looked up, such as one in another container. Default 15 seconds; longer
   * than a single statement keeps the process from doing anything else.
   */
  readonly silenceMs?: number
  /** Called when another process took the lock away, which thought this one dead. */
  readonly onLost?: () => void
}

/** The right to be the only process that uses a folder. */
export interface FolderLock {
  release(): Promise<void>
}

/** What a lock file says. */
interface Holder extends ProcessIdentity {
  readonly token: string
  readonly released: boolean
}

/**
 * Makes this process the only user of a folder.
 *
 * Lock files are numbered. Whoever makes the next number, which the file system grants to one alone, holds the lock; a file is never
 * taken over or removed while it is the newest, so that two starters that find the same dead holder cannot both win.
 *
 * @throws StoreInUseError when another process, or this one, uses it.
 */
export async function lockFolder(
  folder: string,
  { heartbeatMs = 1000, silenceMs = 15_000, onLost }: FolderLockOptions = {},
): Promise<FolderLock> {
  const own: Holder = { ...(await processIdentity()), token: randomUUID(), released: false }
  const number = await acquire(folder, own, silenceMs)
  await removeOlder(folder, number)

  const file = lockFile(folder, number)
  const beat = setInterval(() => {
    void (async () => {
      const now = new Date()
      const lost = (await newestNumber(folder)) > number
      if (lost) {
        clearInterval(beat)
        onLost?.()
      } else {
        await utimes(file, now, now)
      }
    })().catch(() => {
      // The folder may be gone, or its disk full; the next beat tries again.
    })
  }, heartbeatMs)
  beat.unref()

  return {
    async release() {
      clearInterval(beat)
      // Kept and marked, not removed: numbers must go on growing.
      await replace(folder, file, { ...own, released: true }).catch(() => {})
    },
  }
}

async function acquire(folder: string, own: Holder, silenceMs: number): Promise<number> {
  for (;;) {
    const newest = await newestNumber(folder)
    if (newest > 0) await refuseLiving(folder, newest, silenceMs)
    const number = newest + 1
    if (!(await create(folder, lockFile(folder, number), own))) continue
    // A folder that is read while files come and go may show too few of them.
    if ((await newestNumber(folder)) === number) return number
    await replace(folder, lockFile(folder, number), { ...own, released: true })
  }
}

/** @throws StoreInUseError when the holder of that number lives. */
async function refuseLiving(folder: string, number: number, silenceMs: number): Promise<void> {
  const file = lockFile(folder, number)
  const holder = await readHolder(file)
  if (holder === undefined || holder.released) return
  const alive = (await isSameProcessAlive(holder)) ?? (await isHeard(file, silenceMs))
  if (!alive) return
  throw new StoreInUseError({
    message: `Process ${holder.pid}${holder.host ? ` on ${holder.host}` : ''} uses the store in ${folder}. Stop it, or talk to it over HTTP.`,
    details: { pid: holder.pid, folder },
  })
}

/** Whether the holder shows a sign of life within that time. The times of two machines are not compared. */
async function isHeard(file: string, silenceMs: number): Promise<boolean> {
  const first = await modifiedAt(file)
  const until = performance.now() + silenceMs
  while (performance.now() < until) {
    await sleep(Math.min(200, silenceMs))
    if ((await modifiedAt(file)) !== first) return true
  }
  return false
}

async function modifiedAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder
  } catch {
    // Removed meanwhile by a newer holder, whom the next look finds; or damaged, and then nobody's.
    return undefined
  }
}

/** Makes the file with its content at once; returns false when there is one already. */
async function create(folder: string, file: string, holder: Holder): Promise<boolean> {
  const draft = join(folder, `.lock-${holder.token}`)
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function replace(folder: string, file: string, holder: Holder): Promise<void> {
  const draft = join(folder, `.lock-${holder.token}`)
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  await rename(draft, file)
}

/** The one before is kept, so that whoever reads the folder at this moment sees at least that. */
async function removeOlder(folder: string, number: number): Promise<void> {
  for (const older of await numbers(folder)) {
    if (older < number - 1) await rm(lockFile(folder, older), { force: true })
  }
}

async function newestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)))
}

async function numbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => {
    const number = /^lock\.(\d{1,15})$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}
