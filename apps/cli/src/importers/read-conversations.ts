import { basename, extname } from 'node:path'
import { InvalidInputError } from '@loam/core'
import { readChatgpt, readChatgptConversation } from './chatgpt.js'
import { detectFormat, type DetectedFormat } from './detect-format.js'
import type { Importer, ImportRecord } from './import-record.js'
import { readJsonLines } from './json-lines.js'
import { readLocomo, readLocomoSample } from './locomo.js'
import { createMessageIds } from './message-ids.js'
import { readOpenAiArray, readOpenAiObject } from './openai.js'
import { sessionFault } from './session-fault.js'
import { openTextFile } from './text-file.js'

/** What a caller may say that a file is. */
export const IMPORT_FORMATS = ['auto', 'jsonl', 'openai', 'chatgpt', 'locomo'] as const
/** See `IMPORT_FORMATS`. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** How to read a file of conversations. */
export interface ReadConversationsOptions {
  /** Default `auto`: told from the content. */
  readonly format?: ImportFormat | undefined
  /** Owner of messages that name none. */
  readonly userId?: string | undefined
  /** Key of the session of messages that name none. Default: `import:` and the file's name without its ending. */
  readonly session?: string | undefined
  /** Is told how many bytes have been read. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined
}

/** An opened file of conversations. */
export interface Conversations {
  readonly format: Exclude<ImportFormat, 'auto'>
  /** Size of the file in bytes. */
  readonly size: number
  /**
   * Every record in the order of the file; each message has an id, and a session that can be.
   *
   * @throws InvalidInputError when the file is not what it seemed, or holds no message at all.
   */
  readonly records: () => AsyncGenerator<ImportRecord>
}

const IMPORTERS: Readonly<Record<DetectedFormat, Importer>> = {
  jsonl: readJsonLines,
  openai: readOpenAiArray,
  'openai-one': readOpenAiObject,
  chatgpt: readChatgpt,
  'chatgpt-one': readChatgptConversation,
  locomo: readLocomo,
  'locomo-one': readLocomoSample,
}

/**
 * Opens a file of conversations and tells its format. Memory use does not grow with the file, only with its largest conversation.
 *
 * @throws NotFoundError when there is no such file.
 * @throws InvalidInputError when it is no text or in no known format.
 */
export async function readConversations(
  path: string,
  { format = 'auto', userId, session, onProgress }: ReadConversationsOptions = {},
): Promise<Conversations> {
  const file = await openTextFile(path)
  const isArray = file.head.trimStart().startsWith('[')
  const detected =
    format === 'auto'
      ? await detectFormat(file)
      : format === 'jsonl' || isArray
        ? format
        : (`${format}-one` as const)
  const options = {
    sessionKey: session ?? `import:${basename(path, extname(path))}`,
    sessionGiven: session !== undefined,
    userId,
  }
  return {
    format: detected.replace('-one', '') as Conversations['format'],
    size: file.size,
    records: () => checked(path, IMPORTERS[detected](file.chunks(onProgress), options)),
  }
}

async function* checked(
  path: string,
  records: AsyncIterable<ImportRecord>,
): AsyncGenerator<ImportRecord> {
  const idOf = createMessageIds()
  let isEmpty = true
  for await (const record of records) {
    if (record.type === 'session-end') {
      yield record
      continue
    }
    isEmpty = false
    const problem = record.type === 'message' ? sessionFault(record.session) : undefined
    if (problem !== undefined) yield { type: 'bad', place: record.place, problem }
    else yield withId(record, idOf)
  }
  if (isEmpty) {
    throw new InvalidInputError({
      message: `"${path}" holds no message, so there is nothing to import. Check that it is the right file.`,
    })
  }
}

function withId(record: ImportRecord, idOf: ReturnType<typeof createMessageIds>): ImportRecord {
  if (record.type !== 'message' || record.message.id !== undefined) return record
  const id = idOf(record.session.key, record.message)
  return { ...record, message: { ...record.message, id } }
}
