import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The model that talks, rather than summing up in JSON. */
export const TALKING_MODEL = 'bench-talker'

/** How a model talks. */
export interface Pace {
  /** From the request to the first word, and from each word to the next, in milliseconds. */
  readonly firstMs: number
  readonly stepMs: number
  readonly words: number
}

/** What of a request a talking model looks at. */
export interface SpokenRequest {
  readonly model?: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

const USAGE = { prompt_tokens: 500, completion_tokens: 10, total_tokens: 510 }

/** Talks: word by word if it is asked for a stream, else all at once when the last word would have come. */
export async function speak(
  response: ServerResponse,
  { model, stream, stream_options: options }: SpokenRequest,
  { firstMs, stepMs, words }: Pace,
): Promise<void> {
  const started = performance.now()
  // By the clock, not from word to word: a timer that is late does not put off the others.
  const until = (word: number) =>
    sleep(Math.max(0, started + firstMs + word * stepMs - performance.now()))
  const base = { id: 'chatcmpl-bench', created: 0, model }
  if (stream !== true) {
    await until(words - 1)
    const content = Array.from({ length: words }, (_, word) => wordAt(word)).join('')
    const message = { role: 'assistant', content, refusal: null }
    const choices = [{ index: 0, finish_reason: 'stop', message }]
    const answer = { ...base, object: 'chat.completion', choices, usage: USAGE }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    return
  }
  const tell = (choices: readonly object[], rest: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...rest })}\n\n`,
    )
  for (let word = 0; word < words; word += 1) {
    await until(word)
    if (word === 0) response.writeHead(200, { 'content-type': 'text/event-stream' })
    tell([{ index: 0, finish_reason: null, delta: { role: 'assistant', content: wordAt(word) } }])
  }
  tell([{ index: 0, finish_reason: 'stop', delta: {} }])
  if (options?.include_usage === true) tell([], { usage: USAGE })
  response.end('data: [DONE]\n\n')
}

function wordAt(place: number): string {
  return place === 0 ? 'Word' : ' word'
}
