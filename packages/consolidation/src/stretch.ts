import type { Message } from '@loam/storage'
import { excerptOf, type Excerpt } from './excerpt.js'

/** The part of a session that one episode covers. */
export interface Stretch {
  /** Both ends included. */
  readonly firstSequence: number
  readonly lastSequence: number
  /** What is learned from, in order; never empty. */
  readonly excerpts: readonly Excerpt[]
}

/** Excerpts that one episode is made of, in characters (spec 05, 6.2). */
const EPISODE_LENGTH = 8_000
/** A rest that would be no episode by itself, and is no longer than this, joins the stretch before it. */
const JOINED_REST_LENGTH = EPISODE_LENGTH / 4
/** Below either of these there is too little content (spec 05, 6.2). */
const MIN_USER_TURNS = 2
const MIN_WORDS = 40
const PAGE_SIZE = 200

/** Where a stretch may lie, and how its messages are read. */
export interface StretchRequest {
  readonly firstSequence: number
  readonly lastSequence: number
  /** Messages of the session from `first` to `last`, both included, in order. */
  readonly read: (first: number, last: number) => Promise<readonly Message[]>
  /** Whether everything makes one stretch however long it is. Default false. */
  readonly whole?: boolean | undefined
}

/**
 * The next stretch to make an episode of; undefined while there is too little content, which then waits for more.
 *
 * It depends on the messages and the two ends alone, so a handler that was interrupted goes on with the same stretches.
 * A stretch ends where its excerpts fill about 8,000 characters. A short rest of too little content is taken in;
 * a long one waits.
 */
export async function nextStretch(request: StretchRequest): Promise<Stretch | undefined> {
  const { firstSequence, lastSequence, read, whole = false } = request
  const limit = whole ? Number.POSITIVE_INFINITY : EPISODE_LENGTH
  const taken = measured()
  const rest = measured()
  const all = measured()
  const isDecided = (): boolean =>
    all.suffices() &&
    rest.excerpts.length > 0 &&
    (rest.suffices() || rest.length() > JOINED_REST_LENGTH)

  for (let first = firstSequence; first <= lastSequence && !isDecided(); first += PAGE_SIZE) {
    for (const message of await read(first, Math.min(lastSequence, first + PAGE_SIZE - 1))) {
      const excerpt = excerptOf(message)
      if (!excerpt) continue
      const fits = taken.length() + excerpt.text.length <= limit
      if (rest.excerpts.length === 0 && fits) taken.add(excerpt)
      else rest.add(excerpt)
      all.add(excerpt)
    }
  }

  if (!all.suffices()) return undefined
  const next = rest.excerpts[0]
  if (!next || (!rest.suffices() && rest.length() <= JOINED_REST_LENGTH)) {
    return { firstSequence, lastSequence, excerpts: all.excerpts }
  }
  return { firstSequence, lastSequence: next.sequence - 1, excerpts: taken.excerpts }
}

/** Excerpts with their sums. */
function measured() {
  const excerpts: Excerpt[] = []
  let length = 0
  let userTurns = 0
  let words = 0
  return {
    excerpts,
    add(excerpt: Excerpt): void {
      excerpts.push(excerpt)
      length += excerpt.text.length
      if (excerpt.role === 'user') userTurns += 1
      if (excerpt.role !== 'tool') words += excerpt.wordCount
    },
    length: () => length,
    suffices: () => userTurns >= MIN_USER_TURNS && words >= MIN_WORDS,
  }
}
