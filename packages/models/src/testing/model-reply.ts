import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the scripted server does with a request. A string is a chat answer, an array the vectors of an embedding. */
export type ModelReply = string | readonly (readonly number[])[] | ScriptedReply

/** A reply that says more than its content; `delayMs` puts it off. */
export type ScriptedReply = { readonly delayMs?: number } & (
  | {
      /** A chat completion with this content. */
      readonly text: string | null
      /** Calls of tools. */
      readonly toolCalls?: readonly {
        readonly id: string
        readonly name: string
        readonly arguments: string
      }[]
      /** Default: `stop`. */
      readonly finishReason?: string
      /** Default: made from lengths. `null` leaves it out. */
      readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
    }
  | {
      /** An embedding answer with one vector for each text. */
      readonly vectors: readonly (readonly number[])[]
      /** Default: 10 tokens. `null` leaves it out. */
      readonly usage?: { readonly prompt_tokens: number; readonly total_tokens: number } | null
    }
  /** An error as the API words it. */
  | {
      readonly status: number
      readonly error?: {
        readonly message: string
        readonly code?: string
        readonly type?: string
        readonly param?: string
      }
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Any body, as it is. */
  | { readonly raw: string; readonly contentType?: string }
  /** Never answers. */
  | { readonly hang: true }
  /** Begins a body, of a length that it has told or in chunks, and drops the connection. */
  | { readonly cut: true | 'chunked' }
)

/** Writes a reply in the form of the OpenAI API. */
export async function sendReply(
  response: ServerResponse,
  reply: ModelReply,
  { model, stream = false }: { readonly model: string; readonly stream?: boolean },
): Promise<void> {
  const scripted = toScripted(reply)
  if (scripted.delayMs !== undefined) await sleep(scripted.delayMs)
  if ('hang' in scripted) return
  if ('cut' in scripted) cutOff(response, scripted.cut, stream)
  else if ('raw' in scripted) send(response, 200, scripted.raw, { type: scripted.contentType })
  else if ('status' in scripted) {
    const error = scripted.error ?? { message: `scripted status ${scripted.status}` }
    sendJson(response, scripted.status, { error }, scripted.headers)
  } else if ('vectors' in scripted) sendJson(response, 200, embeddingsOf(scripted, model))
  else if (stream) sendEvents(response, chunksOf(scripted, model))
  else sendJson(response, 200, completionOf(scripted, model))
}

function toScripted(reply: ModelReply): ScriptedReply {
  if (typeof reply === 'string') return { text: reply }
  return isVectors(reply) ? { vectors: reply } : reply
}

function isVectors(reply: ModelReply): reply is readonly (readonly number[])[] {
  return Array.isArray(reply)
}

function completionOf(reply: Completion, model: string): unknown {
  const { text, toolCalls, usage } = reply
  const counted = usage === undefined ? { prompt_tokens: 10, completion_tokens: 5 } : usage
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReasonOf(reply),
        message: {
          role: 'assistant',
          content: text,
          refusal: null,
          ...(toolCalls && { tool_calls: toolCalls.map(toCall) }),
        },
      },
    ],
    ...(counted && { usage: counted }),
  }
}

type Completion = Extract<ScriptedReply, { readonly text: unknown }>

function finishReasonOf({ finishReason, toolCalls }: Completion): string {
  return finishReason ?? (toolCalls ? 'tool_calls' : 'stop')
}

function toCall({ id, name, arguments: text }: NonNullable<Completion['toolCalls']>[number]) {
  return { id, type: 'function', function: { name, arguments: text } }
}

/** The same as chunks: the text in pieces of a few characters, each call in two halves, and the usage last. */
function chunksOf(reply: Completion, model: string): readonly unknown[] {
  const { text, toolCalls = [], usage } = reply
  const base = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 0, model }
  const chunk = (delta: object, reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const pieces = (text ?? '').match(/[^]{1,4}/gu) ?? []
  const calls = toolCalls.flatMap(({ id, name, arguments: whole }, index) => {
    const half = Math.floor(whole.length / 2)
    const first = { name, arguments: whole.slice(0, half) }
    return [
      chunk({ tool_calls: [{ index, id, type: 'function', function: first }] }),
      chunk({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }),
    ]
  })
  const counted = usage === undefined ? { prompt_tokens: 10, completion_tokens: 5 } : usage
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishReasonOf(reply)),
    ...(counted ? [{ ...base, choices: [], usage: counted }] : []),
  ]
}

function sendEvents(response: ServerResponse, chunks: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

function embeddingsOf(
  { vectors, usage }: Extract<ScriptedReply, { readonly vectors: unknown }>,
  model: string,
): unknown {
  const counted = usage === undefined ? { prompt_tokens: 10, total_tokens: 10 } : usage
  return {
    object: 'list',
    model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    ...(counted && { usage: counted }),
  }
}

function cutOff(response: ServerResponse, how: true | 'chunked', stream: boolean): void {
  // Without a length, Node sends the body in chunks.
  const length = how === true ? { 'content-length': '1000' } : {}
  const type = stream ? 'text/event-stream' : 'application/json'
  response.writeHead(200, { 'content-type': type, ...length })
  response.write(stream ? 'data: {"choices": [' : '{"choices": [', () => response.destroy())
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, JSON.stringify(body), { headers })
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  {
    type = 'application/json',
    headers = {},
  }: { type?: string | undefined; headers?: Readonly<Record<string, string>> },
): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}
