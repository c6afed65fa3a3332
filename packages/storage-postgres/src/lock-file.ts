import { link, lstat, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessIdentity } from './process-identity.js'

/** What a lock file says. */
export interface Holder extends ProcessIdentity {
  readonly token: string
  readonly released: boolean
}

/** A billion starts are never reached, and far below what a number holds exactly. */
export const MAX_LOCK_NUMBER = 999_999_999

const LOCK_NAME = /^lock\.([1-9]\d{0,8})$/
const DRAFT_NAME = /^\.lock-/

/** A holder takes some 300 bytes. */
const MAX_LOCK_BYTES = 10_000

/** The lock file of that number. */
export function lockFile(folder: string, number: number): string {
  return join(folder, `lock.${number}`)
}

/** The numbers of the locks in a folder; names that are no lock's are passed over. */
export async function lockNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => {
    const number = LOCK_NAME.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

/** The number of the lock that counts; 0 when there is none. */
export async function newestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)))
}

/** Whether a folder holds something and no lock, which nobody leaves behind: the last lock is kept, and marked. */
export async function lacksLock(folder: string): Promise<boolean> {
  const names = await readdir(folder)
  return names.some((name) => !DRAFT_NAME.test(name)) && !names.some((name) => LOCK_NAME.test(name))
}

/** Who holds a lock; `damaged` also when the file cannot be read, so that it is not taken for one that is gone. */
export async function readLock(file: string): Promise<Holder | 'removed' | 'damaged'> {
  try {
    const found = await lstat(file)
    // Reading a pipe or a device might never end.
    if (!found.isFile() || found.size > MAX_LOCK_BYTES) return 'damaged'
    const content: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isHolder(content) ? content : 'damaged'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'removed' : 'damaged'
  }
}

/** When a lock was last touched, in milliseconds; undefined when that cannot be seen. */
export async function modifiedAt(file: string): Promise<number | undefined> {
  return (await lstat(file).catch(() => undefined))?.mtimeMs
}

/** Makes a lock with its content at once; returns false when there is one already. */
export async function createLock(folder: string, file: string, holder: Holder): Promise<boolean> {
  const draft = await writeDraft(folder, holder)
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

/** Puts another content in the place of a lock at once. */
export async function replaceLock(folder: string, file: string, holder: Holder): Promise<void> {
  await rename(await writeDraft(folder, holder), file)
}

async function writeDraft(folder: string, holder: Holder): Promise<string> {
  const draft = join(folder, `.lock-${holder.token}`)
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 })
  return draft
}

function isHolder(content: unknown): content is Holder {
  if (typeof content !== 'object' || content === null) return false
  const { pid, host, token, released, pidNamespace, startedAt, bootId } = content as Partial<
    Record<keyof Holder, unknown>
  >
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    typeof released === 'boolean' &&
    [host, token].every((value) => typeof value === 'string') &&
    [pidNamespace, startedAt, bootId].every(
      (value) => value === undefined || typeof value === 'string',
    )
  )
}
