import { LoamError, type LoamErrorInput } from '@loam/core'

/** Redis does not answer at present, or refuses what it was sent. Code `queue_unavailable`. */
export class QueueUnavailableError extends LoamError {
  static override readonly code = 'queue_unavailable'

  constructor(input: LoamErrorInput) {
    super(input, true)
  }
}
