import { InvalidInputError } from '@loam/core'

/** Bounds on what memory takes in; each is checked before any work is done. */
export interface MemoryLimits {
  /** Longest document, in UTF-16 code units. Default 2,097,152. */
  readonly maxDocumentLength: number
  /** Longest text of one message, its captions included. Default 1,048,576. */
  readonly maxMessageLength: number
  /** Most messages in one batch. Default 1,000. */
  readonly maxBatchSize: number
  /** Longest text of all messages of one batch together. Default 8,388,608. */
  readonly maxBatchLength: number
  /** How much of a query is read; the rest is ignored, and the response says so. Default 2,000. */
  readonly maxQueryLength: number
  /** Most different terms of a query. Default 100. */
  readonly maxQueryTerms: number
  /** How much of a tool's message is made findable. Default 2,000. */
  readonly maxToolLength: number
}

const KIBI = 1024

/** The limits that hold unless others are given. */
export const DEFAULT_MEMORY_LIMITS: MemoryLimits = {
  maxDocumentLength: 2 * KIBI * KIBI,
  maxMessageLength: KIBI * KIBI,
  maxBatchSize: 1000,
  maxBatchLength: 8 * KIBI * KIBI,
  maxQueryLength: 2000,
  maxQueryTerms: 100,
  maxToolLength: 2000,
}

/** @throws InvalidInputError when `size` is above `limit`; `what` names it, such as `The document has 3000000 characters`. */
export function checkLimit(path: string, what: string, size: number, limit: number): void {
  if (size <= limit) return
  const message = `${what}; at most ${limit} are allowed. Split it.`
  throw new InvalidInputError({
    message,
    issues: [{ path, message }],
    details: { size, limit },
  })
}
