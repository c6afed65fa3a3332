import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream'
import { ApiError } from './api-error.js'
import { unreadable } from './read-json.js'

/** An event of a stream, as it was sent. */
export interface ServerSentEvent {
  /** Its type; undefined for events without one. */
  readonly event?: string | undefined
  readonly data: string
}

/** Longest event that is read, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024

/**
 * Reads the events of an answer; whoever stops reading ends the request.
 *
 * @throws ApiError of the code `cut_off` when the connection breaks, `unreadable` for what is no stream of events.
 */
export async function* readEvents(
  response: Response,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ServerSentEvent> {
  if (response.body === null || !isEventStream(response)) {
    await response.body?.cancel()
    throw unreadable(response, 'a stream of events')
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_LENGTH }))
    .getReader()
  try {
    for (;;) {
      const { done, value } = await events.read().catch((error: unknown) => {
        signal?.throwIfAborted()
        throw error instanceof ParseError
          ? unreadable(response, `events of at most ${MAX_EVENT_LENGTH} characters`)
          : cutOff(response, error)
      })
      if (done) return
      yield value
    }
  } finally {
    await events.cancel().catch(() => {})
  }
}

/** The fault of an answer that ended too early. */
export function cutOff({ status }: Response, cause?: unknown): ApiError {
  const message = 'The answer broke off before its end.'
  return new ApiError({ status, code: 'cut_off', message, cause })
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}
