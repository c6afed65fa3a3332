import { ConfigurationError } from '@loam/core'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder for its owner only, and those above it; nothing if it is there.
 *
 * Not `mkdir` with `recursive`, which never ends where a parent that exists says that it does not, such as `/proc` on Linux.
 *
 * @throws the system's error when it cannot be made, or is something else.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder)
  } catch (error) {
    const parent = dirname(folder)
    if (!isSystemError(error) || error.code !== 'ENOENT' || parent === folder) throw error
    await makeOwnFolder(parent)
    await makeOne(folder)
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder) throw error
  }
}

/** What a caller is told when a folder cannot be made or written; other errors pass as they are. */
export function toFolderError(
  error: unknown,
  {
    folder,
    setting,
    cure,
  }: { readonly folder: string; readonly setting: string; readonly cure: string },
): unknown {
  if (!isSystemError(error)) return error
  const reason = REASONS[error.code] ?? 'the system refuses it'
  const message = `The folder ${folder} cannot be used: ${reason} (${error.code}). ${cure}`
  return new ConfigurationError({
    message,
    issues: [{ path: setting, message }],
    details: { folder, code: error.code },
    cause: error,
  })
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this process may not write there',
  EPERM: 'this process may not write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'there is something else of that name',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'the disk is full',
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string'
  )
}
