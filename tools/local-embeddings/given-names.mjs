/** Common given names, by which the direction "given name" is found; all are among GloVe's first 40,000 words. */
const GIVEN_NAMES = `
  james mary john patricia robert jennifer michael linda david elizabeth william barbara richard susan joseph jessica
  thomas karen christopher sarah charles lisa daniel nancy matthew sandra anthony betty mark ashley steven kimberly paul
  emily andrew donna joshua michelle kenneth carol kevin amanda brian melissa george deborah timothy stephanie ronald
  rebecca jason laura edward helen jeffrey sharon ryan cynthia jacob kathleen gary amy nicholas angela eric anna`
  .trim()
  .split(/\s+/)

/** Keeps the covariance invertible without bending it. */
const RIDGE = 0.001

/**
 * How much each word looks like a given name: 0 for the average word, 1 for the average name of the list.
 *
 * Fisher's linear discriminant between the listed names and all words, over vectors of unit length.
 */
export function givenNameScores(words, vectors, dimensions) {
  const units = toUnitLength(vectors, dimensions)
  const everyWord = mean(units, dimensions, words.keys())
  const position = new Map(words.map((word, index) => [word, index]))
  const names = mean(
    units,
    dimensions,
    GIVEN_NAMES.map((name) => position.get(name)),
  )
  const matrix = covariance(units, dimensions, everyWord)
  for (let row = 0; row < dimensions; row++) matrix[row][row] += RIDGE
  const direction = solve(
    matrix,
    names.map((value, k) => value - everyWord[k]),
  )
  const from = dot(direction, everyWord)
  const to = dot(direction, names)
  return words.map((_, index) => {
    const unit = units.subarray(index * dimensions, (index + 1) * dimensions)
    return (dot(direction, unit) - from) / (to - from)
  })
}

function toUnitLength(vectors, dimensions) {
  const units = Float64Array.from(vectors)
  for (let start = 0; start < units.length; start += dimensions) {
    const unit = units.subarray(start, start + dimensions)
    const length = Math.sqrt(dot(unit, unit))
    for (let k = 0; k < dimensions; k++) unit[k] /= length
  }
  return units
}

function mean(units, dimensions, positions) {
  const sum = new Float64Array(dimensions)
  let count = 0
  for (const position of positions) {
    count++
    for (let k = 0; k < dimensions; k++) sum[k] += units[position * dimensions + k]
  }
  return sum.map((value) => value / count)
}

function covariance(units, dimensions, center) {
  const matrix = Array.from({ length: dimensions }, () => new Float64Array(dimensions))
  const count = units.length / dimensions
  for (let start = 0; start < units.length; start += dimensions) {
    for (let k = 0; k < dimensions; k++) {
      const value = (units[start + k] - center[k]) / count
      for (let l = 0; l < dimensions; l++) matrix[k][l] += value * (units[start + l] - center[l])
    }
  }
  return matrix
}

/** Solves `matrix · x = right` for a positive definite matrix, by Gauss and Jordan. */
function solve(matrix, right) {
  const rows = matrix.map((row, k) => [...row, right[k]])
  const size = rows.length
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = 0; row < size; row++) {
      if (row === pivot) continue
      const factor = rows[row][pivot] / rows[pivot][pivot]
      for (let k = pivot; k <= size; k++) rows[row][k] -= factor * rows[pivot][k]
    }
  }
  return rows.map((row, k) => row[size] / row[k])
}

function dot(a, b) {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}
