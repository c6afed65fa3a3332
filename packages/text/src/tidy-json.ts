/**
 * Mends what can be mended without guessing: outside strings, trailing commas and decimals with a blank in them
 * (`0. 85`); inside strings, a `\u` that is no escape.
 */
export function tidyJson(text: string): string {
  const parts: string[] = []
  let position = 0
  while (position < text.length) {
    const quote = text.indexOf('"', position)
    const outsideEnd = quote === -1 ? text.length : quote
    parts.push(tidyOutside(text.slice(position, outsideEnd)))
    if (quote === -1) break
    position = Math.min(text.length, endOfString(text, quote + 1))
    parts.push(text.slice(quote, position).replaceAll(ESCAPES, mendEscape))
  }
  return parts.join('')
}

/**
 * The position behind the quote that closes a string whose content begins at `from`; beyond the text if none does.
 *
 * A loop, since a regular expression over a long string with many escapes exhausts the stack.
 */
export function endOfString(text: string, from: number): number {
  for (let position = from; position < text.length; position += 1) {
    const character = text[position]
    if (character === '\\') position += 1
    else if (character === '"') return position + 1
  }
  return text.length + 1
}

function tidyOutside(text: string): string {
  return text.replaceAll(BROKEN_DECIMAL, '$1.$2').replaceAll(TRAILING_COMMA, '')
}

const BROKEN_DECIMAL = /(?<![\w.])(-?\d{1,20})\.\s{1,16}(\d{1,20})(?!\w)/g
const TRAILING_COMMA = /,(?=\s{0,1000}[\]}])/g
const ESCAPES = /\\(?:u[0-9a-fA-F]{4}|[\s\S])/g

function mendEscape(escape: string): string {
  return escape === '\\u' ? '\\\\u' : escape
}
