import type { MessagePart } from '@loam/storage'
import {
  BadRecord,
  isObject,
  kindOf,
  type ImportedMessage,
  type Importer,
  type ImporterOptions,
  type ImportRecord,
} from './import-record.js'
import { jsonValues } from './json-stream.js'

/** The user that a LoCoMo conversation belongs to unless the caller names one. */
export function locomoUserId(sampleId: string): string {
  return `locomo:${sampleId}`
}

/** Reads a LoCoMo file: each conversation is a user's, each of its sessions a session with its date. */
export const readLocomo: Importer = async function* (chunks, options) {
  let number = 0
  for await (const { value } of jsonValues(chunks, ['$.*'])) {
    number += 1
    yield* readSample(value, number, options)
  }
}

/** Reads one LoCoMo conversation that stands alone in its file. */
export const readLocomoSample: Importer = async function* (chunks, options) {
  for await (const { value } of jsonValues(chunks, ['$'])) yield* readSample(value, 1, options)
}

function* readSample(
  sample: unknown,
  number: number,
  options: ImporterOptions,
): Generator<ImportRecord> {
  const conversation = isObject(sample) ? sample['conversation'] : undefined
  if (!isObject(sample) || !isObject(conversation)) {
    yield { type: 'bad', place: `conversation ${number}`, problem: 'has no "conversation" object' }
    return
  }
  const sampleId =
    typeof sample['sample_id'] === 'string' ? sample['sample_id'] : `conversation-${number}`
  const userId = options.userId ?? locomoUserId(sampleId)
  const ordinals = sessionOrdinals(conversation)
  if (ordinals.length === 0) {
    yield { type: 'bad', place: sampleId, problem: 'has no session, such as "session_1"' }
  }
  for (const ordinal of ordinals) {
    const name = `session_${ordinal}`
    const session = { key: `locomo:${sampleId}:${ordinal}`, userId }
    const place = `${sampleId}, ${name}`
    const turns = conversation[name]
    try {
      if (!Array.isArray(turns)) throw new BadRecord(`is ${kindOf(turns)}, not an array of turns`)
      const createdAt = parseLocomoDate(conversation[`${name}_date_time`])
      for (const [index, turn] of turns.entries()) {
        yield readTurn(turn, `${place}, turn ${index + 1}`, session, createdAt)
      }
      yield { type: 'session-end', session }
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error
      yield { type: 'bad', place, problem: error.message }
    }
  }
}

function sessionOrdinals(conversation: Record<string, unknown>): readonly number[] {
  return Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((ordinal) => ordinal !== undefined)
    .map(Number)
    .toSorted((a, b) => a - b)
}

function readTurn(
  turn: unknown,
  place: string,
  session: { readonly key: string; readonly userId: string },
  createdAt: string,
): ImportRecord {
  if (!isObject(turn) || typeof turn['text'] !== 'string') {
    return { type: 'bad', place, problem: 'has no text' }
  }
  const { speaker, dia_id: id } = turn
  const message: ImportedMessage = {
    ...(typeof id === 'string' && { id }),
    // Both speakers are people; neither is the agent.
    role: 'user',
    content: contentOf(turn['text'], turn),
    ...(typeof speaker === 'string' && { name: speaker }),
    createdAt,
  }
  return { type: 'message', place, session, message }
}

function contentOf(text: string, turn: Record<string, unknown>): ImportedMessage['content'] {
  const { blip_caption: caption, img_url: urls } = turn
  const url: unknown = Array.isArray(urls) ? urls[0] : urls
  if (typeof caption !== 'string' && typeof url !== 'string') return text
  const picture: MessagePart = {
    type: 'image',
    ...(typeof url === 'string' && url.length <= 8192 && { url }),
    ...(typeof caption === 'string' && { caption }),
  }
  return [{ type: 'text', text }, picture]
}

const MONTHS =
  'january february march april may june july august september october november december'.split(' ')

/**
 * Reads `1:56 pm on 8 May, 2023` as ISO 8601; the file names no zone, so it is taken as UTC.
 *
 * @throws BadRecord
 */
export function parseLocomoDate(value: unknown): string {
  const [, hour, minute, half, day, month, year] =
    /^\s*(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})\s*$/i.exec(
      String(value),
    ) ?? []
  const monthIndex = MONTHS.indexOf(month?.toLowerCase() ?? '')
  const isValid = monthIndex >= 0 && Number(hour) <= 12 && Number(minute) < 60 && Number(day) <= 31
  if (!isValid) {
    throw new BadRecord(
      `has the date ${JSON.stringify(value)}; it should look like "1:56 pm on 8 May, 2023"`,
    )
  }
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)
  return new Date(
    Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute)),
  ).toISOString()
}
