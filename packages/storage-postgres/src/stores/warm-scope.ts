import type { ChunkKey } from '@loam/storage'

/** A chunk as a search needs it, without its text. */
export interface WarmChunk {
  readonly key: ChunkKey
  readonly length: number
  readonly expiresAt: number | undefined
}

/** A chunk that becomes part of a warm scope. */
export interface ArrivingChunk extends WarmChunk {
  readonly terms: readonly string[]
  readonly frequencies: readonly number[]
}

/** Where a term stands: numbers of chunks, and how often in each. */
export interface WarmPostings {
  readonly chunks: number[]
  readonly frequencies: number[]
}

/** The vectors of one embedding space, each of length 1. */
interface WarmVectors {
  revision: number
  readonly dimensions: number
  /** Number of the chunk of each row. */
  readonly chunks: number[]
  readonly rowOf: Map<number, number>
  matrix: Float32Array
}

/** What a scope holds, in memory. Numbers of chunks count from 0 in the order of their arrival. */
export interface WarmScope {
  readonly scopeId: number
  /** Up to which revision of the scope it holds everything. */
  revision: number
  /** Estimated. */
  bytes: number
  readonly chunks: WarmChunk[]
  readonly numberOf: Map<string, number>
  readonly postings: Map<string, WarmPostings>
  /** The chunks at each position of each group. */
  readonly byPlace: Map<string, Map<number, number[]>>
  /** Lengths of sessions, by group. */
  readonly sessionLengths: Map<string, number>
  /** Whether any of it is of a document. */
  hasDocuments: boolean
  readonly spaces: Map<number, WarmVectors>
}

// Sizes of V8's objects, measured roughly: a chunk with its key, and a posting with its share of the map.
const CHUNK_BYTES = 600
const POSTING_BYTES = 24

export function createWarmScope(scopeId: number): WarmScope {
  return {
    scopeId,
    revision: -1,
    bytes: 0,
    chunks: [],
    numberOf: new Map(),
    postings: new Map(),
    byPlace: new Map(),
    sessionLengths: new Map(),
    hasDocuments: false,
    spaces: new Map(),
  }
}

export function addChunk(scope: WarmScope, chunk: ArrivingChunk): void {
  const { key, terms, frequencies, length, expiresAt } = chunk
  if (scope.numberOf.has(key.chunkId)) return
  const number = scope.chunks.push({ key, length, expiresAt }) - 1
  scope.numberOf.set(key.chunkId, number)
  for (const [index, term] of terms.entries()) {
    const postings = scope.postings.get(term)
    const frequency = frequencies[index] ?? 0
    if (postings === undefined) {
      scope.postings.set(term, { chunks: [number], frequencies: [frequency] })
    } else {
      postings.chunks.push(number)
      postings.frequencies.push(frequency)
    }
  }
  let group = scope.byPlace.get(key.groupId)
  if (group === undefined) scope.byPlace.set(key.groupId, (group = new Map()))
  const others = group.get(key.position)
  if (others === undefined) group.set(key.position, [number])
  else others.push(number)
  if (key.source === 'messages') {
    scope.sessionLengths.set(key.groupId, (scope.sessionLengths.get(key.groupId) ?? 0) + length)
  }
  scope.hasDocuments ||= key.source === 'documents'
  scope.bytes += CHUNK_BYTES + terms.length * POSTING_BYTES
}

/** The vectors of a space, made empty when there are none yet. */
export function warmVectorsOf(scope: WarmScope, spaceId: number, dimensions: number): WarmVectors {
  const present = scope.spaces.get(spaceId)
  if (present !== undefined) return present
  const vectors: WarmVectors = {
    revision: -1,
    dimensions,
    chunks: [],
    rowOf: new Map(),
    matrix: new Float32Array(0),
  }
  scope.spaces.set(spaceId, vectors)
  return vectors
}

/** Adds a vector, or replaces that of its chunk; one of a chunk that is not there, or without a direction, is left out. */
export function addVector(
  scope: WarmScope,
  vectors: WarmVectors,
  chunkId: string,
  vector: Float32Array,
): void {
  const number = scope.numberOf.get(chunkId)
  if (number === undefined) return
  const { dimensions } = vectors
  const norm = lengthOf(vector)
  if (!Number.isFinite(norm) || norm === 0) return
  let row = vectors.rowOf.get(number)
  if (row === undefined) {
    row = vectors.chunks.push(number) - 1
    vectors.rowOf.set(number, row)
    if ((row + 1) * dimensions > vectors.matrix.length) {
      const grown = new Float32Array(Math.max(64, row + 1, vectors.chunks.length * 2) * dimensions)
      grown.set(vectors.matrix)
      scope.bytes += (grown.length - vectors.matrix.length) * Float32Array.BYTES_PER_ELEMENT
      vectors.matrix = grown
    }
  }
  for (let index = 0; index < dimensions; index += 1) {
    vectors.matrix[row * dimensions + index] = (vector[index] ?? 0) / norm
  }
}

/** Cosine similarity to `query` of each row's vector; NaN for chunks that are not wanted. */
export function similarities(
  vectors: WarmVectors,
  query: readonly number[],
  isWanted: (chunk: number) => boolean,
): Float64Array {
  const { dimensions, matrix, chunks } = vectors
  const single = Float32Array.from(query)
  // In double precision, so that its numbers are not converted anew for each row.
  const wanted = Float64Array.from(single)
  const norm = lengthOf(single)
  const found = new Float64Array(chunks.length).fill(Number.NaN)
  for (const [row, number] of chunks.entries()) {
    if (!isWanted(number)) continue
    const cosine = dot(matrix, row * dimensions, wanted) / norm
    found[row] = Math.min(1, Math.max(-1, cosine))
  }
  return found
}

function lengthOf(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum)
}

/** Four sums side by side let the processor overlap the additions. */
function dot(one: Float32Array, start: number, other: Float64Array): number {
  const { length } = other
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let index = 0
  for (; index + 3 < length; index += 4) {
    a += one[start + index]! * other[index]!
    b += one[start + index + 1]! * other[index + 1]!
    c += one[start + index + 2]! * other[index + 2]!
    d += one[start + index + 3]! * other[index + 3]!
  }
  for (; index < length; index += 1) a += one[start + index]! * other[index]!
  return a + b + c + d
}
