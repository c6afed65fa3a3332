import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { startModelServer, type ModelServerRequest } from '@loam/models/testing'
import { marksIn, summaryOf } from './conversation.js'
import { until } from './until.js'

/** Replies that wait until they are released. */
export interface Hold {
  /** Resolves when so many requests wait. Default 1. */
  reached(count?: number): Promise<void>
  /** Lets them, and what follows, pass. */
  release(): void
}

/** A model server that sums up what it is asked about. */
export interface ScriptedModel {
  readonly baseUrl: string
  /** How many chat requests it has got. */
  readonly calls: number
  /** Holds the replies about one session, or all. */
  hold(session?: string): Hold
  close(): Promise<void>
}

/** How it answers. */
export interface ScriptedModelOptions {
  /** How long a reply takes. Default 0. */
  readonly delayMs?: () => number
}

/** Starts one. Its summaries name the first and the last message that it was shown. */
export async function startScriptedModel({
  delayMs = () => 0,
}: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  interface Held {
    readonly session: string | undefined
    readonly gate: AbortController
    waiting: number
  }
  const held = new Set<Held>()

  const server = await startModelServer({
    async chat(request) {
      const marks = marksIn(textOf(request))
      await delay(delayMs())
      for (const hold of held) {
        if (hold.session !== undefined && hold.session !== marks[0]?.session) continue
        hold.waiting += 1
        if (!hold.gate.signal.aborted) await once(hold.gate.signal, 'abort')
      }
      const [first, last] = [marks[0], marks.at(-1)]
      if (!first || !last) return { status: 400, error: { message: 'There is no mark in it.' } }
      const summary = summaryOf(first.session, first.number, last.number)
      return JSON.stringify({ summary, abstract: summary, topics: [first.session] })
    },
  })

  return {
    baseUrl: server.baseUrl,
    get calls() {
      return server.count('chat')
    },
    hold(session) {
      const hold: Held = { session, gate: new AbortController(), waiting: 0 }
      held.add(hold)
      return {
        reached: async (count = 1) => {
          await until(`${count} requests wait at the model`, () => hold.waiting >= count)
        },
        release() {
          held.delete(hold)
          hold.gate.abort()
        },
      }
    },
    async close() {
      for (const { gate } of held) gate.abort()
      await server.close()
    },
  }
}

function textOf({ body }: ModelServerRequest): string {
  const messages = body['messages'] as readonly { readonly content: string }[]
  return messages.map(({ content }) => content).join('\n')
}
