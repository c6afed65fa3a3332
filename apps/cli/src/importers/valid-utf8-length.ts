/**
 * How many bytes from the beginning are whole characters of UTF-8: the position of the first byte that is not part of one.
 */
export function validUtf8Length(bytes: Uint8Array): number {
  let valid = 0
  let invalid = bytes.byteLength + 1
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2)
    if (decodeStart(bytes, middle) === undefined) invalid = middle
    else valid = middle
  }
  return Buffer.byteLength(decodeStart(bytes, valid) ?? '')
}

/** The beginning of a character at the end of bytes that are valid otherwise; empty when they end with a whole one. */
export function cutCharacter(bytes: Uint8Array): Uint8Array {
  const start = Math.max(
    bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0),
    0,
  )
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return bytes.byteLength - start < length ? bytes.subarray(start) : new Uint8Array()
}

/** Characters cut by the end are left out; undefined when a byte before is wrong. */
function decodeStart(bytes: Uint8Array, length: number): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(bytes.subarray(0, length), { stream: true })
  } catch {
    return undefined
  }
}
