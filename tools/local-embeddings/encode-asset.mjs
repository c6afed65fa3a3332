const MAGIC = 'LOAMWORD'
const VERSION = 1
const HEADER_BYTES = 24

/** Lays out the asset as `packages/models/assets/README.md` describes it. */
export function encodeAsset({ words, vectors, dimensions, weights, direction }) {
  const vocabulary = Buffer.from(words.join('\n'), 'utf8')
  const floats = dimensions + 2 * words.length
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * floats + vectors.length + vocabulary.length)
  bytes.write(MAGIC, 0, 'latin1')
  const header = [VERSION, words.length, dimensions, vocabulary.length]
  for (const [index, value] of header.entries()) bytes.writeUInt32LE(value, 8 + 4 * index)

  const { scales, quantised } = quantise(vectors, dimensions)
  let offset = HEADER_BYTES
  for (const value of [...direction, ...weights, ...scales]) {
    offset = bytes.writeFloatLE(value, offset)
  }
  bytes.set(new Uint8Array(quantised.buffer), offset)
  vocabulary.copy(bytes, offset + quantised.length)
  return bytes
}

/** One float a word scales its largest number to 127. */
function quantise(vectors, dimensions) {
  const scales = new Float32Array(vectors.length / dimensions)
  const quantised = new Int8Array(vectors.length)
  for (const index of scales.keys()) {
    const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions)
    let largest = 0
    for (const value of vector) largest = Math.max(largest, Math.abs(value))
    scales[index] = largest / 127
    for (const [k, value] of vector.entries()) {
      quantised[index * dimensions + k] = Math.round((value / largest) * 127)
    }
  }
  return { scales, quantised }
}
