import { readFileSync } from 'node:fs'
import { ModelError } from '@loam/core'

/** The words that the local model knows, as `assets/README.md` lays them out. */
export interface WordVectors {
  readonly dimensions: number
  /** Row of each word. */
  readonly rows: ReadonlyMap<string, number>
  /** How much each row counts: 0 for a stop word, near 1 for a rare word. */
  readonly weights: Float32Array
  /** What each row's numbers are multiplied with. */
  readonly scales: Float32Array
  /** `dimensions` numbers for each row. */
  readonly vectors: Int8Array
  /** The unit vector that every text shares and that says nothing about it. */
  readonly commonDirection: Float32Array
}

const ASSET = new URL('../assets/glove-100d-40k.bin', import.meta.url)
const MAGIC = 'LOAMWORD'
const VERSION = 1
const HEADER_BYTES = 24

let loaded: WordVectors | undefined

/** Reads the asset of this package, once per process. */
export function loadWordVectors(): WordVectors {
  loaded ??= decodeWordVectors(readAsset())
  return loaded
}

/** Decodes the asset's bytes. */
export function decodeWordVectors(bytes: Uint8Array): WordVectors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || decodeText(bytes.subarray(0, 8)) !== MAGIC) throw damaged()
  const [version, count, dimensions, vocabularyBytes] = [8, 12, 16, 20].map((offset) =>
    view.getUint32(offset, true),
  ) as [number, number, number, number]
  const vectorsStart = HEADER_BYTES + 4 * (dimensions + 2 * count)
  const vocabularyStart = vectorsStart + count * dimensions
  if (version !== VERSION || bytes.length !== vocabularyStart + vocabularyBytes) throw damaged()

  const floats = Float32Array.from({ length: dimensions + 2 * count }, (_, index) =>
    view.getFloat32(HEADER_BYTES + 4 * index, true),
  )
  const words = decodeText(bytes.subarray(vocabularyStart)).split('\n')
  if (words.length !== count) throw damaged()
  return {
    dimensions,
    rows: new Map(words.map((word, row) => [word, row])),
    commonDirection: floats.subarray(0, dimensions),
    weights: floats.subarray(dimensions, dimensions + count),
    scales: floats.subarray(dimensions + count),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + vectorsStart, count * dimensions),
  }
}

function readAsset(): Uint8Array {
  try {
    return readFileSync(ASSET)
  } catch (cause) {
    throw damaged(cause)
  }
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function damaged(cause?: unknown): ModelError {
  return new ModelError({
    message: `The word vectors of the local model are missing or damaged (${ASSET.pathname}). Install @loam/models again.`,
    retryable: false,
    reason: 'unavailable',
    cause,
  })
}
