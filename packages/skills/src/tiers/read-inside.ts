import { constants, open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { MAX_SKILL_FILE_BYTES } from '../frontmatter/decode-skill-file.js'

/** What came of reading a file that has to lie within a folder. */
export type ReadOutcome =
  | { readonly state: 'read'; readonly content: Uint8Array }
  | { readonly state: 'missing' | 'outside' | 'not_a_file' }
  | { readonly state: 'unreadable'; readonly message: string }

/**
 * Reads a file, and follows a link only to where the root reaches. What is no plain file, such as a pipe, is never waited for.
 *
 * @param realRoot as `realpath` gives it.
 * @param folderIsInside whether the file's folder is known to lie within the root.
 * @param maxBytes of a longer file this many are read, and one more to tell. Default: as much as a SKILL.md may have.
 */
export async function readInside(
  path: string,
  realRoot: string,
  folderIsInside: boolean,
  maxBytes: number = MAX_SKILL_FILE_BYTES,
): Promise<ReadOutcome> {
  try {
    if (!folderIsInside) return await readResolved(path, realRoot, maxBytes)
    return await readPlain(path, maxBytes)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP') return await readResolved(path, realRoot, maxBytes).catch(toOutcome)
    return toOutcome(error)
  }
}

/** Whether a path that `realpath` gave is the root or lies in it. */
export function isInside(realRoot: string, path: string): boolean {
  return path === realRoot || path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)
}

async function readResolved(
  path: string,
  realRoot: string,
  maxBytes: number,
): Promise<ReadOutcome> {
  const target = await realpath(path)
  return isInside(realRoot, target) ? await readPlain(target, maxBytes) : { state: 'outside' }
}

async function readPlain(path: string, maxBytes: number): Promise<ReadOutcome> {
  // Without waiting for the other end of a pipe, and without following a link in the last place.
  const handle = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    const status = await handle.stat()
    if (!status.isFile()) return { state: 'not_a_file' }
    // One byte more than is read of a file, by which the reader sees that there is more. One read is what most files take,
    // where `readFile` asks for the size again and reads once more to see the end.
    const buffer = Buffer.allocUnsafe(Math.min(status.size, maxBytes) + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      length += bytesRead
      if (bytesRead === 0 || length >= status.size || length === buffer.length) break
    }
    return { state: 'read', content: buffer.subarray(0, length) }
  } finally {
    await handle.close()
  }
}

function toOutcome(error: unknown): ReadOutcome {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'missing' }
  if (code === 'EISDIR') return { state: 'not_a_file' }
  return { state: 'unreadable', message: code }
}
