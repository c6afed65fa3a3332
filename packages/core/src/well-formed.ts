/**
 * Removes what cannot be stored or encoded: NUL is dropped, a lone surrogate becomes U+FFFD, and a byte order mark at
 * the beginning, which says how a file was encoded and is no text, is dropped.
 *
 * Every text passes here before it is hashed or stored (architecture, "Text is data").
 */
export function toStorableText(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(BYTE_ORDER_MARKS, '')
    .replaceAll(LONE_SURROGATE, '\uFFFD')
}

/** Whether `toStorableText` would leave the text as it is. Identifiers must pass, since cleaning could make two equal. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !text.startsWith('\uFEFF') && text.search(LONE_SURROGATE) === -1
}

/** Applies `toStorableText` to every key and string inside a JSON value. */
export function toStorableJson<Value>(value: Value): Value
export function toStorableJson(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map((item) => toStorableJson(item))
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [toStorableText(key), toStorableJson(item)]),
    )
  }
  return value
}

const BYTE_ORDER_MARKS = /^\uFEFF+/
// In `u` mode a surrogate escape matches only a surrogate that is not part of a pair.
const LONE_SURROGATE = /[\uD800-\uDFFF]/gu
