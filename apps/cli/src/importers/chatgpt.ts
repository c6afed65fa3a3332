import { readChatgptMessage } from './chatgpt-message.js'
import {
  BadRecord,
  isObject,
  type ImportedMessage,
  type Importer,
  type ImporterOptions,
  type ImportRecord,
} from './import-record.js'
import { jsonValues } from './json-stream.js'
import { readTime } from './read-time.js'

/** Reads a ChatGPT `conversations.json`: each conversation is a session, of which the branch last shown is taken. */
export const readChatgpt: Importer = async function* (chunks, options) {
  let number = 0
  for await (const { value } of jsonValues(chunks, ['$.*'])) {
    number += 1
    yield* readConversation(value, number, options)
  }
}

/** Reads one ChatGPT conversation that stands alone in its file. */
export const readChatgptConversation: Importer = async function* (chunks, options) {
  for await (const { value } of jsonValues(chunks, ['$'])) {
    yield* readConversation(value, 1, options)
  }
}

type Mapping = Readonly<Record<string, unknown>>

function* readConversation(
  conversation: unknown,
  number: number,
  options: ImporterOptions,
): Generator<ImportRecord> {
  const mapping = isObject(conversation) ? conversation['mapping'] : undefined
  if (!isObject(conversation) || !isObject(mapping)) {
    yield { type: 'bad', place: `conversation ${number}`, problem: 'has no "mapping" of messages' }
    return
  }
  const title = typeof conversation['title'] === 'string' ? conversation['title'] : undefined
  const id = conversation['conversation_id'] ?? conversation['id'] ?? conversation['create_time']
  const session = {
    key: sessionKey(typeof id === 'string' || typeof id === 'number' ? id : number, options),
    userId: options.userId,
    ...(title !== undefined && title !== '' && { title }),
  }
  const place = `conversation ${number}${title ? ` "${title}"` : ''}`
  const branch = branchOf(mapping, conversation['current_node'])
  if (branch === undefined) {
    yield { type: 'bad', place, problem: 'its messages form a circle of parents, without a first' }
    return
  }
  let time = conversation['create_time']
  for (const nodeId of branch) {
    const node = mapping[nodeId]
    const source: unknown = isObject(node) ? node['message'] : undefined
    if (source === null || source === undefined) continue
    const here = `${place}, message ${nodeId}`
    try {
      const message = readChatgptMessage(source, {
        nodeId,
        parentId: isObject(node) && typeof node['parent'] === 'string' ? node['parent'] : undefined,
      })
      if (message === undefined) continue
      // Some messages carry no time; that of the one before is nearest to the truth.
      time = message.createdAt ?? time
      yield { type: 'message', place: here, session, message: withTime(message, time) }
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error
      yield { type: 'bad', place: here, problem: error.message }
    }
  }
  yield { type: 'session-end', session }
}

function sessionKey(id: string | number, { sessionGiven, sessionKey: prefix }: ImporterOptions) {
  return `${sessionGiven ? prefix : 'chatgpt'}:${id}`
}

function withTime(message: ImportedMessage, time: unknown): ImportedMessage {
  const createdAt = message.createdAt ?? readTime(time)
  return createdAt === undefined ? message : { ...message, createdAt }
}

/**
 * Ids of the nodes from the root to the node last shown, or to the newest message when the file names none; undefined
 * when there is no root, since a node is its own ancestor.
 */
function branchOf(mapping: Mapping, currentNode: unknown): readonly string[] | undefined {
  // A set keeps the order in which it was filled.
  const branch = new Set<string>()
  let next: unknown =
    typeof currentNode === 'string' && Object.hasOwn(mapping, currentNode)
      ? currentNode
      : newestNode(mapping)
  while (typeof next === 'string' && Object.hasOwn(mapping, next)) {
    if (branch.has(next)) return undefined
    branch.add(next)
    const node: unknown = mapping[next]
    next = isObject(node) ? node['parent'] : undefined
  }
  return [...branch].toReversed()
}

function newestNode(mapping: Mapping): string | undefined {
  let newest: { readonly id: string; readonly time: number } | undefined
  for (const [id, node] of Object.entries(mapping)) {
    const message: unknown = isObject(node) ? node['message'] : undefined
    if (!isObject(message)) continue
    const time = typeof message['create_time'] === 'number' ? message['create_time'] : 0
    if (newest === undefined || time >= newest.time) newest = { id, time }
  }
  return newest?.id
}
