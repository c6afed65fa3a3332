import { createHash } from 'node:crypto'

/** First 16 bytes of the SHA-256 of the text as UTF-8, as 32 lower-case hexadecimal digits (spec 04, 5.3). */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32)
}
