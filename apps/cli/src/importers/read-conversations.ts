import { basename, extname } from 'node:path'
import { readChatgpt, readChatgptConversation } from './chatgpt.js'
import { detectFormat, type DetectedFormat } from './detect-format.js'
import type { Importer, ImportRecord } from './import-record.js'
import { readJsonLines } from './json-lines.js'
import { readLocomo, readLocomoSample } from './locomo.js'
import { createMessageIds } from './message-ids.js'
import { readOpenAiArray, readOpenAiObject } from './openai.js'
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
  /** Every record in the order of the file; each message has an id. */
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
    records: () => withIds(IMPORTERS[detected](file.chunks(onProgress), options)),
  }
}

async function* withIds(records: AsyncIterable<ImportRecord>): AsyncGenerator<ImportRecord> {
  const idOf = createMessageIds()
  for await (const record of records) {
    if (record.type !== 'message' || record.message.id !== undefined) yield record
    else {
      const id = idOf(record.session.key, record.message)
      yield { ...record, message: { ...record.message, id } }
    }
  }
}
