import type { GenerateId } from '@loam/core'
import type { NewChunk, NewMessage, Session, TermFrequencies } from '@loam/storage'
import { chunkText, DEFAULT_CHUNK_LENGTH } from '../chunking/chunk-text.js'
import { countCodePoints } from '../chunking/code-points.js'
import { calendarWords } from './calendar-words.js'
import { addTerms, termsOf } from './chunk-terms.js'
import { messageText, speakerOf } from './message-text.js'

/** A piece of a message, analysed before its place in the session is known. */
export interface MessagePiece {
  readonly id: string
  readonly text: string
  readonly terms: TermFrequencies
}

/** Cuts and analyses what of a message is to be found: one piece, or several of a long message. */
export function messagePieces(
  message: NewMessage,
  maxToolLength: number,
  generateId: GenerateId,
): readonly MessagePiece[] {
  const text = messageText(message, maxToolLength)
  if (text === undefined) return []
  const label = `${text.label}: `
  const maxLength = DEFAULT_CHUNK_LENGTH - countCodePoints(label)
  return chunkText(text.body, { maxLength }).map((chunk) => ({
    id: generateId(),
    text: label + chunk.text,
    terms: termsOf([speakerOf(message), chunk.text]),
  }))
}

/** The chunks of a stored message. They are found by speaker and date, too (spec 09, "Found to help"). */
export function messageChunks(
  message: NewMessage,
  pieces: readonly MessagePiece[],
  { session, sequence }: { readonly session: Session; readonly sequence: number },
): readonly NewChunk[] {
  const day = calendarWords(message.createdAt, session.timezone)
  return pieces.map(({ id, text, terms }, part) => ({
    id,
    agentId: session.agentId,
    userId: session.userId,
    owner: { source: 'messages', sessionId: session.id, sequence },
    position: sequence,
    part,
    text,
    speaker: speakerOf(message),
    occurredAt: message.createdAt,
    terms: addTerms(terms, termsOf([day])),
  }))
}
