import { createRandom } from '../random.js'

/** Makes vectors of texts, with the same words in similar directions: a random projection of the bag of words. */
export function createTextEmbedder(dimensions: number): (text: string) => readonly number[] {
  const directions = new Map<string, Float64Array>()

  function directionOf(word: string): Float64Array {
    const known = directions.get(word)
    if (known) return known
    const random = createRandom(hash(word))
    const made = Float64Array.from({ length: dimensions }, () => random() - 0.5)
    directions.set(word, made)
    return made
  }

  return (text) => {
    const sum = new Float64Array(dimensions)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const direction = directionOf(word)
      for (let index = 0; index < dimensions; index += 1) sum[index]! += direction[index]!
    }
    const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) || 1
    return Array.from(sum, (value) => Math.round((value / length) * 1e6) / 1e6)
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
