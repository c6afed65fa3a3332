/** A process with an OpenAI-compatible model server: vectors by rule, one fixed summary, and idle talk. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent } from './parent-calls.js'
import { speak, TALKING_MODEL, type Pace, type SpokenRequest } from './speech.js'
import { createTextEmbedder } from './text-vector.js'

const SUMMARY = {
  summary:
    'Ada and Ben spoke about the garden and the travel plans of the spring. Ben wants to plant beans by the fence, and Ada will order the seeds by Friday. They decided to take the early train to the coast on 3 May, and to ask Clara whether she comes along. Open is who looks after the house meanwhile.',
  abstract:
    'Ada and Ben plan the garden and a trip to the coast on 3 May; who keeps the house is open.',
  topics: ['Ada', 'Ben', 'Clara', 'garden', 'seeds', 'coast', 'train'],
}

let delayMs = 0
let pace: Pace = { firstMs: 0, stepMs: 0, words: 1 }

answerParent({
  /** How long each answer is put off from now on, as by a network or a model that has to think. */
  delay(milliseconds: number) {
    delayMs = milliseconds
  },

  /** How the talking model talks from now on. */
  pace(wanted: Pace) {
    pace = wanted
  },

  async listen({ dimensions }: { readonly dimensions: number }) {
    const embed = createTextEmbedder(dimensions)
    const routes: Readonly<Record<string, (body: Body) => unknown>> = {
      '/v1/embeddings': ({ input, model }) => embeddings([input ?? []].flat().map(embed), model),
      '/v1/chat/completions': ({ model }) => completion(model),
    }
    const server = createServer(async (request, response) => {
      const route = routes[request.url ?? '']
      if (!route) return send(response, 404, { error: { message: 'No such route.' } })
      const body = JSON.parse(await text(request)) as Body
      if (isTalk(body)) return await speak(response, body, pace)
      const answer = route(body)
      if (delayMs > 0) await sleep(delayMs)
      send(response, 200, answer)
    })
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  },
})

interface Body extends SpokenRequest {
  readonly input?: string | readonly string[]
  readonly response_format?: unknown
}

/** Loam has one model for talk and for summaries, and asks for the latter as JSON. */
function isTalk({ model, response_format: format }: Body): boolean {
  return model === TALKING_MODEL && format === undefined
}

function embeddings(vectors: readonly (readonly number[])[], model: string | undefined): unknown {
  return {
    object: 'list',
    model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 10, total_tokens: 10 },
  }
}

function completion(model: string | undefined): unknown {
  const message = { role: 'assistant', content: JSON.stringify(SUMMARY), refusal: null }
  return {
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 },
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
