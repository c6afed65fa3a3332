import { StoreInUseError } from '@loam/core'
import { randomUUID } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  MAX_LOCK_NUMBER,
  createLock,
  lacksLock,
  lockFile,
  lockNumbers,
  modifiedAt,
  newestNumber,
  readLock,
  replaceLock,
  type Holder,
} from './lock-file.js'
import { isSameProcessAlive, processIdentity } from './process-identity.js'

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
  /**
   * Whether it is still this process's, as of one heartbeat ago or less. To be asked before each use, since timers wait where work
   * follows upon work, or while the process is halted.
   */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

type Times = Required<Pick<FolderLockOptions, 'heartbeatMs' | 'silenceMs'>>

/**
 * Makes this process the only user of a folder.
 *
 * Lock files are numbered. Whoever makes the next number, which the file system grants to one alone, holds the lock; a file is never
 * taken over or removed while it is the newest, so that two starters that find the same dead holder cannot both win.
 *
 * A lock that is damaged says nothing of its holder, who may live: it counts as held until nobody has touched it for `silenceMs`. A
 * holder mends its lock at the next beat, and gives up when another one is there.
 *
 * @throws StoreInUseError when another process, or this one, uses it or may use it.
 */
export async function lockFolder(
  folder: string,
  { heartbeatMs = 1000, silenceMs = 15_000, onLost }: FolderLockOptions = {},
): Promise<FolderLock> {
  const own: Holder = { ...(await processIdentity()), token: randomUUID(), released: false }
  const number = await acquire(folder, own, { heartbeatMs, silenceMs })
  await settleOlder(folder, number, own)

  let isLost = false
  let beating: Promise<void> | undefined
  let beatenAt = performance.now()

  async function beat(): Promise<void> {
    try {
      if (isLost || (await keep(folder, number, own))) return
      isLost = true
      clearInterval(timer)
      onLost?.()
    } catch {
      // The folder may be gone, or its disk full; the next beat tries again.
    } finally {
      beatenAt = performance.now()
      beating = undefined
    }
  }

  const timer = setInterval(() => {
    beating ??= beat()
  }, heartbeatMs)
  timer.unref()

  return {
    async isHeld() {
      if (!isLost && performance.now() - beatenAt >= heartbeatMs) await (beating ??= beat())
      return !isLost
    },
    async release() {
      clearInterval(timer)
      await beating
      const file = lockFile(folder, number)
      // One of the same number may be another's, where this one's was removed by hand.
      if (!isOther(await readLock(file), own)) {
        // Kept and marked, not removed: numbers must go on growing.
        await replaceLock(folder, file, { ...own, released: true }).catch(() => {})
      }
    },
  }
}

async function acquire(folder: string, own: Holder, times: Times): Promise<number> {
  // Somebody removed the lock. A holder who lives makes it again at the next beat.
  if (await lacksLock(folder)) await sleep(2 * times.heartbeatMs)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const newest = await newestNumber(folder)
    if (newest > 0 && !(await isFree(folder, newest, times))) continue
    const number = newest + 1
    if (number > MAX_LOCK_NUMBER) break
    if (!(await createLock(folder, lockFile(folder, number), own))) continue
    // A folder that is read while files come and go may show too few of them.
    if ((await newestNumber(folder)) === number) return number
    await replaceLock(folder, lockFile(folder, number), { ...own, released: true })
  }
  const file = lockFile(folder, await newestNumber(folder))
  throw new StoreInUseError({
    message: `No lock that comes after ${file} can be made. If no process uses the store, delete the files "lock.*" in ${folder}.`,
    details: { folder, file },
  })
}

/** Each one fails because another process did something meanwhile, whom the next look finds; so many in a row are no chance. */
const MAX_ATTEMPTS = 100

/**
 * Whether nobody holds the lock of that number; false when it is gone, and the folder has to be looked at again.
 *
 * @throws StoreInUseError when its holder lives or may live.
 */
async function isFree(folder: string, number: number, times: Times): Promise<boolean> {
  const file = lockFile(folder, number)
  const holder = await readLock(file)
  if (holder === 'removed') return false
  if (holder === 'damaged') {
    if (await isAbandoned(file, times)) return true
    throw new StoreInUseError({
      message: `The lock ${file} is damaged or cannot be read, and the process that made it may still use the store. Stop that process. If there is none, delete the file, or try again in ${Math.ceil(times.silenceMs / 1000)} seconds.`,
      details: { folder, file },
    })
  }
  if (holder.released) return true
  const isAlive = (await isSameProcessAlive(holder)) ?? (await isHeard(file, times.silenceMs))
  if (!isAlive) return true
  const host = holder.host.replaceAll(/[^\w.-]/g, '?').slice(0, 255)
  throw new StoreInUseError({
    message: `Process ${holder.pid}${host ? ` on ${host}` : ''} uses the store in ${folder}. Stop it, or talk to it over HTTP.`,
    details: { pid: holder.pid, folder },
  })
}

/** Whether a damaged lock has not been touched for long. It is watched too, since its holder's clock may differ. */
async function isAbandoned(file: string, { heartbeatMs, silenceMs }: Times): Promise<boolean> {
  const modified = await modifiedAt(file)
  if (modified === undefined || Date.now() - modified < silenceMs) return false
  return !(await isHeard(file, 3 * heartbeatMs))
}

/** Whether the holder shows a sign of life within that time. The times of two machines are not compared. */
async function isHeard(file: string, withinMs: number): Promise<boolean> {
  const first = await modifiedAt(file)
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    await sleep(Math.min(200, withinMs))
    if ((await modifiedAt(file)) !== first) return true
  }
  return false
}

/** Shows that the holder lives, and mends its lock; returns false when another one's is in its place. */
async function keep(folder: string, number: number, own: Holder): Promise<boolean> {
  const file = lockFile(folder, number)
  if ((await newestNumber(folder)) > number) return false
  const found = await readLock(file)
  if (isOther(found, own)) return false
  const now = new Date()
  if (found === 'removed') {
    await createLock(folder, file, own)
    // A lower number is no rival when it is one of before, and is when somebody began to count anew.
    return !(await hasRival(folder, own))
  }
  if (found === 'damaged' || found.released) {
    // What cannot be replaced, such as a folder of that name, is touched at least.
    await replaceLock(folder, file, own).catch(() => utimes(file, now, now))
  } else {
    await utimes(file, now, now)
  }
  return true
}

async function hasRival(folder: string, own: Holder): Promise<boolean> {
  for (const other of await lockNumbers(folder)) {
    const holder = await readLock(lockFile(folder, other))
    if (typeof holder === 'string' || holder.released || holder.token === own.token) continue
    if ((await isSameProcessAlive(holder)) !== false) return true
  }
  return false
}

function isOther(found: Holder | 'removed' | 'damaged', own: Holder): boolean {
  return typeof found === 'object' && found.token !== own.token
}

/**
 * The one before is kept, so that whoever reads the folder at this moment sees at least that, and names this holder, so that the store
 * does not look free when the newest is removed by hand.
 */
async function settleOlder(folder: string, number: number, own: Holder): Promise<void> {
  for (const older of await lockNumbers(folder)) {
    const file = lockFile(folder, older)
    // What can be neither replaced nor removed, such as a folder of that name, does no harm.
    if (older === number - 1) await replaceLock(folder, file, own).catch(() => {})
    else if (older < number) await rm(file, { force: true }).catch(() => {})
  }
}
