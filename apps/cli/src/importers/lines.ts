import { InvalidInputError } from '@loam/core'

const MAX_LINE_LENGTH = 64 * 1024 * 1024

/**
 * Cuts text into lines at LF or CRLF. Not `node:readline`, which also cuts at U+2028 and U+2029, and these are legal inside JSON.
 *
 * @throws InvalidInputError for a line of more than 64 million characters.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pending: string[] = []
  let pendingLength = 0
  for await (const chunk of chunks) {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      yield withoutReturn(pending.join('') + line)
      pending = []
      pendingLength = 0
    }
    pending.push(last)
    pendingLength += last.length
    if (pendingLength > MAX_LINE_LENGTH) {
      throw new InvalidInputError({
        message: `A line is longer than ${MAX_LINE_LENGTH} characters. JSON Lines holds one message a line.`,
      })
    }
  }
  const rest = pending.join('')
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
