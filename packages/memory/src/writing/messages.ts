import { ConflictError, NotFoundError, type AbortableOptions, type Scope } from '@loam/core'
import type { Access, NewMessage, NewSession, Session, Storage, Stores } from '@loam/storage'
import { writingAccessOf } from '../access.js'
import { messageChunks, messagePieces } from '../indexing/message-chunks.js'
import { prepareVectors, preparedState, writeIndex } from '../indexing/prepared-index.js'
import type { MessageInput, SessionInput, StoreMessagesResult } from '../memory.js'
import type { WritingDependencies } from './documents.js'
import { checkMessages } from './message-input.js'
import { checkSession } from './session-input.js'

/** See `Memory.storeMessages`. */
export async function storeMessages(
  dependencies: WritingDependencies,
  scope: Scope,
  sessionInput: SessionInput,
  inputs: readonly MessageInput[],
  { signal }: AbortableOptions = {},
): Promise<StoreMessagesResult> {
  const { storage, generateId, limits, embeddings } = dependencies
  const access = writingAccessOf(scope, storage)
  const newSession = checkSession(sessionInput, scope, generateId)
  const messages = checkMessages(inputs, dependencies)
  const resent = embeddings.remote
    ? await findResent(storage, access, newSession, messages)
    : new Set<string>()
  const drafts = messages.map((message) => ({
    message,
    pieces: messagePieces(message, limits.maxToolLength, generateId),
  }))
  const toEmbed = drafts.flatMap(({ message, pieces }) =>
    resent.has(message.id) ? [] : pieces.map(({ id, text }) => ({ id, text })),
  )
  const context = { scope, task: 'memory.messages.index', signal }
  const vectors = await prepareVectors(
    toEmbed.map(({ text }) => text),
    context,
    dependencies,
  )
  const vectorOf = new Map(vectors?.map((vector, index) => [toEmbed[index]?.id, vector]))
  const spaceId = vectors === undefined ? undefined : await dependencies.spaces.idFor(scope)

  return storage.transaction(
    access,
    async (stores) => {
      const { session, created } =
        sessionInput.id === undefined
          ? await stores.sessions.ensure(newSession)
          : { session: await present(stores, sessionInput.id, newSession), created: false }
      const items = await stores.messages.append(session.id, messages)
      const chunks = drafts.flatMap(({ message, pieces }, index) => {
        const item = items[index]
        if (item === undefined || item.duplicate) return []
        return messageChunks(message, pieces, { session, sequence: item.sequence })
      })
      const found = chunks.flatMap(({ id }) => {
        const vector = vectorOf.get(id)
        return vector === undefined ? [] : [vector]
      })
      await writeIndex(
        stores,
        {
          ...scope,
          groupId: session.id,
          chunks,
          vectors: found.length === chunks.length ? found : undefined,
          spaceId,
        },
        dependencies,
      )
      return {
        session: { ...session, lastSequence: lastSequence(session.lastSequence, items) },
        sessionCreated: created,
        items,
        indexState: preparedState(vectors),
      }
    },
    { signal },
  )
}

/** The session of that id and key. Held, so that it is not deleted before its messages are there. */
async function present(
  { agents, sessions }: Pick<Stores, 'agents' | 'sessions'>,
  id: string,
  { agentId, key, userId }: NewSession,
): Promise<Session> {
  const session = await sessions.lock(id)
  if (session?.agentId === agentId && session.key === key && session.userId === userId) {
    return session
  }
  if ((await agents.find(agentId)) === undefined) {
    throw new NotFoundError({
      message: 'The agent that this belongs to does not exist: it was deleted meanwhile.',
      details: { agentId },
    })
  }
  throw new ConflictError({
    message: `The session ${JSON.stringify(key)} was deleted meanwhile, so nothing is stored in it. Begin anew.`,
    details: { key },
  })
}

/** Ids of the batch that the session has already: a batch sent again must not be paid for again. */
async function findResent(
  storage: Storage,
  access: Access,
  session: { readonly agentId: string; readonly key: string },
  messages: readonly NewMessage[],
): Promise<ReadonlySet<string>> {
  return storage.transaction(
    access,
    async (stores) => {
      const known = await stores.sessions.findByKey(session.agentId, session.key)
      if (known === undefined) return new Set<string>()
      return stores.messages.storedIds(
        known.id,
        messages.map(({ id }) => id),
      )
    },
    { readOnly: true },
  )
}

function lastSequence(before: number, items: StoreMessagesResult['items']): number {
  return items.reduce((last, { sequence }) => Math.max(last, sequence), before)
}
