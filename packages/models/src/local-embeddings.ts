import type { EmbeddingModel, EmbeddingTrust } from '@loam/core'
import { SPELLING_DIMENSIONS, addSpelling } from './spelling.js'
import { spokenWords } from './spoken-words.js'
import { loadWordVectors, type WordVectors } from './word-vectors.js'

/** Raise the version when the asset, the words or the spelling change: stored vectors are compared by this name. */
const MODEL = 'glove-100d-40k-v1'
const WORD_DIMENSIONS = 100
/** Length of a spelling vector beside word vectors of length 4 to 6; 0.3 to 0.6 of those measured alike (README). */
const SPELLING_WEIGHT = 2.25
const LATIN = /^[\p{Script=Latin}\p{M}\p{N}]+$/u
const MARKS = /\p{M}/gu

/** Options of `createLocalEmbeddings`. */
export interface LocalEmbeddingsOptions {
  /** How far a fused search trusts the vectors. Default: weight 0.3, similarity from 0.15 on, as measured (README). */
  readonly trust?: EmbeddingTrust
}

/**
 * Makes the built-in embedding model: static English word vectors, read from this package when first used.
 *
 * A text's vector is the sum of its words' GloVe vectors, each weighted by how rare the word is, without the direction
 * that all texts share (Arora et al. 2017); 28 more numbers hold the spelling of its words, for names and codes. The
 * whole has length 1.
 *
 * @example
 * const model = createLocalEmbeddings()
 * const [dog, puppy] = await model.embed(['my dog', 'a puppy'], { scope, task: 'example' })
 */
export function createLocalEmbeddings(options: LocalEmbeddingsOptions = {}): EmbeddingModel {
  return {
    provider: 'loam-local',
    model: MODEL,
    dimensions: WORD_DIMENSIONS + SPELLING_DIMENSIONS,
    trust: options.trust ?? { vectorWeight: 0.3, minSimilarity: 0.15 },
    languages: ['en'],
    remote: false,
    async embed(texts, { signal }) {
      const words = loadWordVectors()
      return texts.map((text) => {
        signal?.throwIfAborted()
        return embedText(text, words)
      })
    },
  }
}

function embedText(text: string, words: WordVectors): readonly number[] {
  const vector = new Float64Array(words.dimensions + SPELLING_DIMENSIONS)
  for (const word of spokenWords(text)) {
    const row = rowOf(word, words)
    if (row !== undefined) addWord(vector, words, row)
    else if (word.length === 1) continue
    const weight = row === undefined ? 1 : words.weights[row]!
    if (weight > 0) addSpelling(vector, words.dimensions, word, SPELLING_WEIGHT * weight)
  }
  removeCommonDirection(vector, words.commonDirection)
  return toUnitLength(vector)
}

/** An accent that the vocabulary does not know is dropped: `café` is `cafe`. */
function rowOf(word: string, { rows }: WordVectors): number | undefined {
  const row = rows.get(word)
  if (row !== undefined || !LATIN.test(word)) return row
  return rows.get(word.normalize('NFKD').replace(MARKS, ''))
}

function addWord(vector: Float64Array, words: WordVectors, row: number): void {
  const factor = words.weights[row]! * words.scales[row]!
  if (factor === 0) return
  const start = row * words.dimensions
  for (let k = 0; k < words.dimensions; k++) vector[k]! += factor * words.vectors[start + k]!
}

function removeCommonDirection(vector: Float64Array, direction: Float32Array): void {
  let share = 0
  for (let k = 0; k < direction.length; k++) share += direction[k]! * vector[k]!
  for (let k = 0; k < direction.length; k++) vector[k]! -= share * direction[k]!
}

function toUnitLength(vector: Float64Array): readonly number[] {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = squares === 0 ? 1 : Math.sqrt(squares)
  return Array.from(vector, (value) => value / length)
}
