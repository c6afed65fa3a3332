/**
 * Mends what can be mended without guessing: outside strings, trailing commas and decimals with a blank in them
 * (`0. 85`); inside strings, a `\u` that is no escape.
 */
export function tidyJson(text: string): string {
  return text.replaceAll(PARTS, (part, string: string | undefined, decimal: string | undefined) => {
    if (string !== undefined) return string.replaceAll(ESCAPES, mendEscape)
    return decimal === undefined ? '' : decimal.replaceAll(/\s+/g, '')
  })
}

// A string as a whole, so that nothing inside it matches the other two.
const PARTS =
  /("[^"\\]*(?:\\[\s\S][^"\\]*)*"?)|((?<![\w.])-?\d{1,20}\.\s{1,16}\d{1,20}(?!\w))|,(?=\s{0,1000}[\]}])/g
const ESCAPES = /\\(?:u[0-9a-fA-F]{4}|[\s\S])/g

function mendEscape(escape: string): string {
  return escape === '\\u' ? '\\\\u' : escape
}
