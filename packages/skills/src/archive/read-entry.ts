import { crc32, createInflateRaw } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { entryFault, limitFault, quotePath } from './archive-fault.js'
import { RATIO_FROM_BYTES, type ArchiveLimits } from './archive-limits.js'
import type { ArchiveEntry } from './list-entries.js'

/** Reads one file of an archive. */
export type EntryReader = (entry: ArchiveEntry) => Promise<Uint8Array>

/**
 * Makes a reader that unpacks file after file and counts what comes. It stops at the first byte that is too much; the
 * sizes that an archive states are compared with what was counted, and are never relied on.
 *
 * The reader throws InvalidInputError for an entry that is no plain file or is damaged, and LimitError at a limit.
 */
export function createEntryReader(
  zip: ZipFile,
  bytes: Uint8Array,
  limits: ArchiveLimits,
): EntryReader {
  let total = 0
  let packed = 0

  function count(path: string, fileBytes: number, newBytes: number): void {
    total += newBytes
    if (fileBytes > limits.maxFileBytes) {
      throw tooLarge('maxFileBytes', limits, `${quotePath(path)} has more bytes, unpacked,`)
    }
    if (total > limits.maxTotalBytes) {
      throw tooLarge('maxTotalBytes', limits, 'The files have more bytes, unpacked and together,')
    }
    // Entries may share the same packed bytes, which then count once.
    if (total > RATIO_FROM_BYTES && total > limits.maxRatio * Math.min(packed, bytes.byteLength)) {
      throw tooLarge('maxRatio', limits, `Up to ${quotePath(path)}, the files unpack to more times`)
    }
  }

  return async ({ path, entry }) => {
    checkKind(path, entry)
    const source = await packedBytes(zip, bytes, path, entry)
    packed += source.byteLength
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of unpack(path, entry, source)) {
      length += chunk.byteLength
      count(path, length, chunk.byteLength)
      if (length > entry.uncompressedSize) break
      chunks.push(chunk)
    }
    if (length !== entry.uncompressedSize) throw damaged(path, 'it has another size than is stated')
    const content = joined(chunks, length)
    if (crc32(content) !== entry.crc32) throw damaged(path, 'its checksum is wrong')
    return content
  }
}

/** A copy, so that no file keeps the whole archive in memory. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const content = new Uint8Array(length)
  let place = 0
  for (const chunk of chunks) {
    content.set(chunk, place)
    place += chunk.byteLength
  }
  return content
}

function checkKind(path: string, entry: Entry): void {
  const { externalFileAttributes: attributes, compressionMethod } = entry
  const type = (attributes >>> 16) & FILE_TYPE
  if (type === SYMBOLIC_LINK || (attributes & REPARSE_POINT) !== 0) {
    throw entryFault(path, `${quotePath(path)} is a link. Pack the file itself that it leads to.`)
  }
  if (type !== 0 && type !== REGULAR_FILE) {
    throw entryFault(path, `${quotePath(path)} is no plain file. Leave it out of the archive.`)
  }
  if (entry.isEncrypted()) {
    throw entryFault(path, `${quotePath(path)} is encrypted. Pack it without a password.`)
  }
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    throw entryFault(
      path,
      `${quotePath(path)} is packed by method ${compressionMethod}. Pack it by "deflate" (8) or "stored" (0).`,
    )
  }
}

async function packedBytes(
  zip: ZipFile,
  bytes: Uint8Array,
  path: string,
  entry: Entry,
): Promise<Uint8Array> {
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return bytes.subarray(fileDataStart, fileDataStart + entry.compressedSize)
  } catch (cause) {
    throw damaged(path, messageOf(cause), cause)
  }
}

/** Leaving the loop over it destroys the stream. */
async function* unpack(path: string, entry: Entry, source: Uint8Array): AsyncGenerator<Uint8Array> {
  if (entry.compressionMethod === STORED) {
    yield source
    return
  }
  const stream = createInflateRaw({ chunkSize: 64 * 1024 })
  try {
    stream.end(source)
    // The iterator destroys the stream however the loop ends.
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch (cause) {
    throw damaged(path, messageOf(cause), cause)
  } finally {
    stream.destroy()
  }
  if (stream.bytesWritten !== source.byteLength) {
    throw damaged(path, 'there are bytes after the end of its data')
  }
}

function tooLarge(limit: keyof ArchiveLimits, limits: ArchiveLimits, subject: string) {
  const most = limits[limit]
  const than = limit === 'maxRatio' ? 'their packed size' : 'than are read'
  return limitFault(
    limit,
    most,
    `${subject} ${than}: ${most.toLocaleString('en')} is the most (${limit}). Pack only what the skill needs.`,
  )
}

function damaged(path: string, reason: string, cause?: unknown) {
  return entryFault(path, `${quotePath(path)} is damaged: ${reason}. Pack the skill again.`, cause)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

const STORED = 0
const DEFLATED = 8
const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000
const SYMBOLIC_LINK = 0o120000
// Of Windows, where a link is an attribute of a file.
const REPARSE_POINT = 0x400
