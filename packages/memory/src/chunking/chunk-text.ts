import { countCodePoints } from './code-points.js'
import { splitLongLine } from './long-line.js'
import { trackHeadings } from './markdown-headings.js'

/** Changes whenever the same text would be cut differently. */
export const CHUNKER_VERSION = 1

/** Default of `maxLength`, in characters (spec 04, 5.2). */
export const DEFAULT_CHUNK_LENGTH = 1000

/** How to cut a text. */
export interface ChunkTextOptions {
  /** Longest chunk, in characters (code points). Default 1000, also for values below 1. */
  readonly maxLength?: number | undefined
  /** Whole lines of up to this many characters are repeated from the end of the chunk before. Default 0; at most half of `maxLength`. */
  readonly overlap?: number | undefined
}

/** A piece of a text. */
export interface TextChunk {
  readonly text: string
  /** 1-based line on which it begins. */
  readonly startLine: number
  /** 1-based line on which it ends. */
  readonly endLine: number
  /** The Markdown headings above it, outermost first, such as `Projects > Billing`. They are not part of `text`. */
  readonly heading?: string
}

/** A line, or a piece of a line that is too long for a chunk. */
interface Piece {
  readonly text: string
  readonly length: number
  readonly line: number
  /** What stands between the piece before and this one. */
  readonly joiner: '' | '\n'
  readonly isHeading: boolean
  readonly heading: string | undefined
}

/**
 * Cuts a text into chunks of whole lines: at the blank line or heading behind the first half of a chunk, else where it is full (spec 04, 5.2).
 * Only a line that is too long by itself is cut inside. A byte order mark is dropped, CRLF and CR count as LF, and blank ends are trimmed.
 *
 * @example
 * ```ts
 * chunkText('# Tea\n\nAlice drinks green tea.') // [{ text: '# Tea\n\nAlice drinks green tea.', startLine: 1, endLine: 3 }]
 * ```
 */
export function chunkText(text: string, options: ChunkTextOptions = {}): readonly TextChunk[] {
  const maxLength = atLeastOne(options.maxLength) ?? DEFAULT_CHUNK_LENGTH
  const overlap = Math.min(atLeastOne(options.overlap) ?? 0, Math.floor(maxLength / 2))
  const chunks: TextChunk[] = []
  let buffer: Piece[] = []
  let length = 0
  /** Whether the buffer holds more than blanks and what is repeated from the chunk before. */
  let hasNew = false

  const lengthWith = (piece: Piece) =>
    buffer.length === 0 ? piece.length : length + piece.joiner.length + piece.length
  const flush = () => {
    if (!hasNew) return
    chunks.push(toChunk(buffer))
    buffer = trailingPieces(buffer, overlap)
    length = lengthOf(buffer)
    hasNew = false
  }

  for (const piece of piecesOf(text, maxLength)) {
    const isBlank = piece.text.trim() === ''
    if ((isBlank || piece.isHeading) && length >= maxLength / 2) flush()
    if (isBlank && buffer.length === 0) continue
    if (lengthWith(piece) > maxLength) flush()
    while (buffer.length > 0 && lengthWith(piece) > maxLength) {
      buffer.shift()
      length = lengthOf(buffer)
    }
    length = lengthWith(piece)
    buffer.push(piece)
    hasNew ||= !isBlank
    if (length >= maxLength) flush()
  }
  flush()
  return chunks
}

function* piecesOf(text: string, maxLength: number): Generator<Piece> {
  const headings = trackHeadings()
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
  for (const [index, line] of lines.entries()) {
    const { isHeading, above: heading } = headings.read(line)
    const pieces = line.length > maxLength ? splitLongLine(line, maxLength) : [line]
    for (const [ordinal, piece] of pieces.entries()) {
      yield {
        text: piece,
        length: countCodePoints(piece),
        line: index + 1,
        joiner: ordinal === 0 ? '\n' : '',
        isHeading: isHeading && ordinal === 0,
        heading,
      }
    }
  }
}

function toChunk(pieces: readonly Piece[]): TextChunk {
  const filled = pieces.filter((piece) => piece.text.trim() !== '')
  const { heading, line: startLine = 1 } = filled[0] ?? {}
  return {
    text: joinPieces(pieces).trim(),
    startLine,
    endLine: filled.at(-1)?.line ?? startLine,
    ...(heading === undefined ? {} : { heading }),
  }
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text, joiner }, index) => (index === 0 ? text : joiner + text)).join('')
}

function lengthOf(pieces: readonly Piece[]): number {
  let length = 0
  for (const [index, piece] of pieces.entries()) {
    length += piece.length + (index === 0 ? 0 : piece.joiner.length)
  }
  return length
}

/** The whole lines at the end that fit into the overlap. */
function trailingPieces(pieces: readonly Piece[], overlap: number): Piece[] {
  let start = pieces.length
  while (start > 0 && lengthOf(pieces.slice(start - 1)) <= overlap) start -= 1
  const trailing = pieces.slice(start)
  return trailing.every((piece) => piece.text.trim() === '') ? [] : trailing
}

function atLeastOne(value: number | undefined): number | undefined {
  return value !== undefined && value >= 1 ? Math.floor(value) : undefined
}
