import { InvalidInputError } from '@loam/core'
import { JSONParser } from '@streamparser/json'

/**
 * Yields the values at `path` of one JSON document as soon as each is complete, so that a large file is never held whole.
 * Paths are those of `@streamparser/json`: `$`, `$.*`, `$.messages.*`.
 *
 * @throws InvalidInputError when the text is not JSON, or ends early.
 */
export async function* jsonValues(
  chunks: AsyncIterable<string>,
  paths: readonly string[],
): AsyncGenerator<{ readonly key: string | number | undefined; readonly value: unknown }> {
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  let ready: { key: string | number | undefined; value: unknown }[] = []
  parser.onValue = ({ key, value }) => {
    ready.push({ key, value })
  }
  for await (const chunk of chunks) {
    let failure: InvalidInputError | undefined
    try {
      parser.write(chunk)
    } catch (cause) {
      failure = notJson(cause instanceof Error ? cause.message : String(cause), cause)
    }
    const values = ready
    ready = []
    yield* values
    if (failure !== undefined) throw failure
  }
  if (!parser.isEnded) throw notJson('it ends before the last bracket is closed')
}

function notJson(reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    message: `The file is not valid JSON: ${reason}. Repair or export it again.`,
    cause,
  })
}
