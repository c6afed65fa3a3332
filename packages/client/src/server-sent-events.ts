import { EventSourceParserStream } from 'eventsource-parser/stream'

/** An event of a stream, as it was sent. */
export interface ServerSentEvent {
  /** Its type; undefined for events without one. */
  readonly event?: string | undefined
  readonly data: string
}

/** Reads the events of an answer; whoever stops reading ends the request. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    for (;;) {
      const { done, value } = await events.read()
      if (done) return
      yield value
    }
  } finally {
    await events.cancel().catch(() => {})
  }
}
