import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { InvalidInputError, NotFoundError } from '@loam/core'
import { cutCharacter, validUtf8Length } from './valid-utf8-length.js'

/** A text file that is read in pieces. */
export interface TextFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** The first characters, without byte order mark; the whole text when it is shorter. */
  readonly head: string
  /** The whole text from its beginning, without byte order mark. `onProgress` is told how many bytes have been read. */
  chunks(onProgress?: (bytesRead: number) => void): AsyncGenerator<string>
}

const HEAD_BYTES = 1024 * 1024

/**
 * Opens a UTF-8 file for import.
 *
 * @throws NotFoundError when there is no such file.
 * @throws InvalidInputError when it is a folder, empty, an archive, binary, or in another encoding.
 */
export async function openTextFile(path: string): Promise<TextFile> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new NotFoundError({
      message: `There is no file "${path}" that can be read. Check the path and its permissions.`,
      cause,
    })
  })
  if (!info.isFile()) throw refusal(path, 'is not a file. Name the file itself')
  const bytes = await readHead(path)
  checkEncoding(path, bytes)
  const head = decodeHead(path, bytes)
  if (head.trim() === '' && info.size <= HEAD_BYTES) throw refusal(path, 'is empty')
  return {
    path,
    size: info.size,
    head,
    chunks: (onProgress) => decodedChunks(path, onProgress),
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function checkEncoding(path: string, bytes: Uint8Array): void {
  const begins = (...signature: number[]) => signature.every((byte, i) => bytes[i] === byte)
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) {
    throw refusal(path, 'is in UTF-16. Convert it first, as with "iconv -f UTF-16 -t UTF-8"')
  }
  if (begins(0x50, 0x4b, 0x03, 0x04)) {
    throw refusal(path, 'is a zip archive. Unpack it, and import the conversations.json inside')
  }
  if (begins(0x1f, 0x8b)) throw refusal(path, 'is compressed. Unpack it first, as with "gunzip"')
  if (bytes.includes(0)) {
    throw refusal(path, 'holds NUL bytes, so it is no text. Import JSON or JSON Lines in UTF-8')
  }
}

function decodeHead(path: string, bytes: Uint8Array): string {
  try {
    // A character cut by the end of the head is no fault, hence `stream`.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch (cause) {
    throw notUtf8(path, validUtf8Length(bytes), cause)
  }
}

async function* decodedChunks(
  path: string,
  onProgress: (bytesRead: number) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytesRead = 0
  // The beginning of a character that the end of a piece cut.
  let pending: Uint8Array = new Uint8Array()
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(bytes, { stream })
    } catch (cause) {
      const start = bytesRead - pending.byteLength
      throw notUtf8(path, start + validUtf8Length(Buffer.concat([pending, bytes])), cause)
    }
  }
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes = piece as Buffer
    const text = decode(bytes, true)
    pending = cutCharacter(Buffer.concat([pending, bytes.subarray(-3)]))
    bytesRead += bytes.byteLength
    onProgress(bytesRead)
    if (text !== '') yield text
  }
  decode(new Uint8Array(), false)
}

function notUtf8(path: string, position: number, cause: unknown): InvalidInputError {
  return new InvalidInputError({
    message: `"${path}" is not valid UTF-8 at byte ${position}, counted from 0. Convert it to UTF-8 first.`,
    cause,
  })
}

function refusal(path: string, fault: string): InvalidInputError {
  return new InvalidInputError({ message: `"${path}" ${fault}.` })
}
