import { randomUUID } from 'node:crypto'
import type { Side } from '../comparison.js'
import type { Corpus } from '../corpus.js'
import type { JsonClient } from '../json-client.js'
import type { Mem0Process } from '../peers/mem0.js'

/** Messages of one request, as the target says. */
const BATCH_SIZE = 100

/** Stores messages through Loam's API, some callers at once; the figure is messages a second. */
export function loamIngest(options: {
  readonly client: JsonClient
  readonly agent: string
  readonly corpus: Corpus
  readonly messages: number
  readonly callers: number
}): Side {
  const { client, agent, corpus, messages, callers } = options
  const prefix = randomUUID()
  return {
    name: 'Loam',
    async measure(round) {
      const batches = Array.from({ length: Math.ceil(messages / BATCH_SIZE) }, (_, batch) =>
        corpus.messages(
          round * messages + batch * BATCH_SIZE,
          Math.min(BATCH_SIZE, messages - batch * BATCH_SIZE),
        ),
      )
      const work = Array.from({ length: callers }, (_, lane) =>
        batches.filter((_batch, index) => index % callers === lane),
      )
      const started = performance.now()
      await Promise.all(
        work.map(async (lane, index) => {
          const session = `${prefix}-${round}-${index}`
          for (const batch of lane) await storeBatch({ client, agent, session, batch })
        }),
      )
      return messages / ((performance.now() - started) / 1000)
    },
  }
}

/** @throws Error unless all of it was stored and has its vectors. */
async function storeBatch(options: {
  readonly client: JsonClient
  readonly agent: string
  readonly session: string
  readonly batch: readonly unknown[]
}): Promise<void> {
  const { client, agent, session, batch } = options
  const { stored, indexState } = await client.post<{ stored: number; indexState: string }>(
    `/v1/agents/${agent}/sessions/${session}/messages`,
    { userId: USER, messages: batch },
  )
  if (stored !== batch.length || indexState !== 'complete') {
    throw new Error(`Loam stored ${stored} of ${batch.length} messages, indexed: ${indexState}.`)
  }
}

/** Messages of one session. */
const SESSION_LENGTH = 500

/** Stores the first messages of a corpus, in several sessions. */
export async function storeMessages(options: {
  readonly client: JsonClient
  readonly agent: string
  readonly corpus: Corpus
  readonly count: number
}): Promise<void> {
  const { client, agent, corpus, count } = options
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const session = `session-${Math.floor(first / SESSION_LENGTH)}`
    const batch = corpus.messages(first, Math.min(BATCH_SIZE, count - first))
    await storeBatch({ client, agent, session, batch })
  }
}

/** Whose the messages are, on both sides. */
export const USER = 'ada'

/** Stores messages with mem0, some callers at once; the figure is messages a second. */
export function mem0Ingest(options: {
  readonly mem0: Mem0Process
  readonly collection: string
  readonly corpus: Corpus
  readonly messages: number
  readonly callers: number
}): Side {
  const { mem0, collection, corpus, messages, callers } = options
  return {
    name: 'mem0',
    async measure(round) {
      const took = await mem0.add({
        collection,
        userId: USER,
        messages: corpus.messages(round * messages, messages),
        atOnce: callers,
      })
      return messages / (took / 1000)
    },
  }
}
