import {
  BadRecord,
  isObject,
  kindOf,
  type ImportedSession,
  type Importer,
  type ImportRecord,
} from './import-record.js'
import { jsonValues } from './json-stream.js'
import { readOpenAiMessage } from './openai-message.js'

/** Reads an array of OpenAI messages as one session; an array of `{ "messages": [...] }` as one session each. */
export const readOpenAiArray: Importer = (chunks, options) =>
  readMessages(jsonValues(chunks, ['$.*']), { key: options.sessionKey, userId: options.userId })

/** Reads an object `{ "messages": [...] }` as one session. */
export const readOpenAiObject: Importer = (chunks, options) =>
  readMessages(jsonValues(chunks, ['$.messages.*']), {
    key: options.sessionKey,
    userId: options.userId,
  })

async function* readMessages(
  values: AsyncIterable<{ readonly value: unknown }>,
  session: ImportedSession,
): AsyncGenerator<ImportRecord> {
  let number = 0
  let hasOwnMessages = false
  for await (const { value } of values) {
    number += 1
    if (isObject(value) && Array.isArray(value['messages'])) {
      const own = { ...session, key: `${session.key}:${number}` }
      for (const [index, message] of value['messages'].entries()) {
        yield readMessage(message, `conversation ${number}, message ${index + 1}`, own)
      }
      yield { type: 'session-end', session: own }
    } else {
      hasOwnMessages = true
      yield readMessage(value, `message ${number}`, session)
    }
  }
  if (hasOwnMessages) yield { type: 'session-end', session }
}

function readMessage(value: unknown, place: string, session: ImportedSession): ImportRecord {
  try {
    if (!isObject(value)) throw new BadRecord(`is ${kindOf(value)}; a message is an object`)
    return { type: 'message', place, session, message: readOpenAiMessage(value) }
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error
    return { type: 'bad', place, problem: error.message }
  }
}
