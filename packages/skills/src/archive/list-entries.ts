import { isUtf8 } from 'node:buffer'
import { InvalidInputError } from '@loam/core'
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl'
import { entryFault, limitFault, quotePath } from './archive-fault.js'
import type { ArchiveLimits } from './archive-limits.js'
import { checkRelativePath, isIgnoredEntry } from './companion-path.js'

/** A file that an archive lists. */
export interface ArchiveEntry {
  /** Relative, without detours, and with slashes. */
  readonly path: string
  readonly entry: Entry
}

/** An archive whose list of files has been read, and nothing else. */
export interface EntryList {
  readonly zip: ZipFile
  readonly entries: readonly ArchiveEntry[]
}

/**
 * Reads what an archive lists. Folders are left out, and what only the file managers of macOS and Windows need.
 *
 * The list at the end of the archive is what counts, so that sizes after the data and the 64-bit form are read too.
 *
 * @throws InvalidInputError when the bytes are no ZIP, and for a path that leads out of the archive.
 * @throws LimitError for too many bytes or entries.
 */
export async function listEntries(bytes: Uint8Array, limits: ArchiveLimits): Promise<EntryList> {
  if (bytes.byteLength > limits.maxArchiveBytes) {
    throw limitFault(
      'maxArchiveBytes',
      limits.maxArchiveBytes,
      `The archive has ${bytes.byteLength.toLocaleString('en')} bytes, and ${limits.maxArchiveBytes.toLocaleString('en')} is the most (maxArchiveBytes).`,
    )
  }
  const zip = await open(bytes)
  if (zip.entryCount > limits.maxEntries) {
    throw limitFault(
      'maxEntries',
      limits.maxEntries,
      `The archive lists ${zip.entryCount.toLocaleString('en')} files and folders, and ${limits.maxEntries.toLocaleString('en')} is the most (maxEntries). Pack only what the skill needs.`,
    )
  }
  const entries: ArchiveEntry[] = []
  for (const entry of await collect(zip)) {
    const path = pathOf(entry)
    if (path !== undefined) entries.push({ path, entry })
  }
  return { zip, entries }
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    // Names and sizes are checked here, where a message can name the entry.
    return await fromBufferPromise(buffer, { decodeStrings: false, validateEntrySizes: false })
  } catch (cause) {
    throw notReadable(cause)
  }
}

async function collect(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch (cause) {
    throw notReadable(cause)
  }
  return entries
}

/** Undefined for a folder, and for what is ignored. */
function pathOf(entry: Entry): string | undefined {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  // macOS, and zip without a locale, write UTF-8 and do not say so. A name in code page 437 is hardly ever UTF-8 too.
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_NAME : generalPurposeBitFlag
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
  if (name.length > MAX_NAME_LENGTH) {
    throw entryFault(
      name,
      `The entry ${quotePath(name)} has a name of ${name.length.toLocaleString('en')} characters, and ${MAX_NAME_LENGTH.toLocaleString('en')} is the most.`,
    )
  }
  if (name.includes('\uFFFD')) {
    throw entryFault(name, `The name of the entry ${quotePath(name)} is no UTF-8. Pack it again.`)
  }
  // Some tools write every name with "./" before it, and the folder itself as "./".
  const relative = name.startsWith('./') ? name.slice(2) : name
  if (relative === '' && name !== '') return undefined
  const isFolder = relative.endsWith('/') && relative !== '/'
  const path = checkRelativePath(isFolder ? relative.slice(0, -1) : relative)
  return isFolder || isFolderMode(entry) || isIgnoredEntry(path) ? undefined : path
}

function isFolderMode({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & FILE_TYPE) === FOLDER
}

function notReadable(cause: unknown): InvalidInputError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `The bytes are no ZIP archive, or it is damaged or cut off (${reason}). Pack the skill again.`
  return new InvalidInputError({ message, cause })
}

const UTF8_NAME = 0x800
const MAX_NAME_LENGTH = 4_096
const FILE_TYPE = 0o170000
const FOLDER = 0o040000
