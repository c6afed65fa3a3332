/** Length of a spelling vector; each bit of one 32-bit hash gives the sign of one number. */
export const SPELLING_DIMENSIONS = 28

const SHORTEST_GRAM = 3
const LONGEST_GRAM = 5
/** Nobody spells more; without a bound one long code would take as long as a page. */
const MAX_LENGTH = 64

/**
 * Adds a vector of length `weight` to `target` from `offset` on; words that are spelled alike get vectors that are near.
 *
 * The character n-grams of the word (3 to 5, with its ends marked) each have a fixed pseudo-random vector of signs, as
 * in feature hashing (Weinberger et al. 2009) over the subwords of fastText (Bojanowski et al. 2017).
 */
export function addSpelling(
  target: Float64Array,
  offset: number,
  word: string,
  weight: number,
): void {
  const spelling = spellingOf(word)
  let squares = 0
  for (const value of spelling) squares += value * value
  if (squares === 0) return
  const factor = weight / Math.sqrt(squares)
  for (let k = 0; k < SPELLING_DIMENSIONS; k++) target[offset + k]! += factor * spelling[k]!
}

function spellingOf(word: string): Int16Array {
  const marked = `<${word.slice(0, MAX_LENGTH)}>`
  const sum = new Int16Array(SPELLING_DIMENSIONS)
  for (let start = 0; start < marked.length; start++) {
    const longest = Math.min(LONGEST_GRAM, marked.length - start)
    // FNV-1a, which a longer n-gram goes on from where the shorter one ended.
    let hash = 0x811c9dc5
    for (let size = 1; size <= longest; size++) {
      hash = Math.imul(hash ^ marked.charCodeAt(start + size - 1), 0x01000193)
      if (size >= SHORTEST_GRAM) addSigns(sum, mix(hash))
    }
  }
  return sum
}

function addSigns(sum: Int16Array, bits: number): void {
  for (let k = 0; k < SPELLING_DIMENSIONS; k++) sum[k]! += (bits >>> k) & 1 ? 1 : -1
}

/** The finaliser of MurmurHash3: every bit comes to depend on every character. */
function mix(hash: number): number {
  let value = hash
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}
