const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu
const APOSTROPHE = /['’]/u
/** What English appends to a word with an apostrophe: function words, which say nothing about a topic. */
const CLITICS = new Set(['s', 'm', 're', 've', 'll', 'd'])

/**
 * The words of a text in lower case, as the local model looks them up.
 *
 * Words are not stemmed, since the vocabulary holds surface forms. `Anna's` gives `anna`, and `don't` gives nothing:
 * split at the apostrophe it would be the name Don.
 */
export function* spokenWords(text: string): Generator<string> {
  for (const [match] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    const parts = match.split(APOSTROPHE)
    if (parts.length > 1) dropClitic(parts)
    yield* parts
  }
}

function dropClitic(parts: string[]): void {
  const last = parts.at(-1) ?? ''
  const isNegation = last === 't' && parts.at(-2)?.endsWith('n') === true
  if (isNegation) parts.splice(-2)
  else if (CLITICS.has(last)) parts.pop()
}
