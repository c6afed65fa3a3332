import type { Context } from 'hono'

/** Aborts when the client has gone. The server's own signal aborts with a string, which nobody recognises. */
export function clientSignal(context: Context): AbortSignal {
  const { signal } = context.req.raw
  const controller = new AbortController()
  const abort = () => {
    controller.abort(new DOMException('The client has gone.', 'AbortError'))
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}
