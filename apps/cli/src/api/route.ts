import { InvalidInputError } from '@loam/core'

/**
 * Builds a path of the API, each value in it escaped: `` route`/v1/agents/${agent}` ``.
 *
 * @throws InvalidInputError for a value that no path can hold.
 */
export function route(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, index) => path + escapeSegment(values[index - 1] ?? '') + text)
}

function escapeSegment(value: string): string {
  // A URL resolves these two even when they are escaped.
  if (value === '.' || value === '..' || value === '') {
    throw new InvalidInputError({ message: `"${value}" can be no key and no id. Choose another.` })
  }
  try {
    return encodeURIComponent(value)
  } catch (cause) {
    throw new InvalidInputError({
      message: 'A key or id holds half a character. Remove it.',
      cause,
    })
  }
}

/** Appends a query to a path; undefined values are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path
}
