/** Words of the imagined text whose vectors are analysed; 6 and 30 give nearly the same direction. */
const TEXT_LENGTH = 12
const ITERATIONS = 300

/**
 * The first principal direction of text vectors (Arora et al. 2017), which says nothing about a text's topic.
 *
 * No sample of texts is drawn. For a text of n independent words of probability p, the second moment of its summed
 * vector is, up to the factor n, Σ p w² v vᵀ + (n − 1) μ μᵀ with μ = Σ p w v; its first eigenvector is found by
 * power iteration. The same input gives the same bytes.
 */
export function principalDirection({ vectors, dimensions, probabilities, weights }) {
  const moment = secondMoment({ vectors, dimensions, probabilities, weights })
  let direction = new Float64Array(dimensions).fill(1)
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = moment.map((row) => row.reduce((sum, value, k) => sum + value * direction[k], 0))
    const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0))
    direction = next.map((value) => value / length)
  }
  return direction
}

function secondMoment({ vectors, dimensions, probabilities, weights }) {
  const total = probabilities.reduce((sum, probability) => sum + probability, 0)
  const moment = Array.from({ length: dimensions }, () => new Float64Array(dimensions))
  const center = new Float64Array(dimensions)
  for (const [index, weight] of weights.entries()) {
    const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions)
    const share = (probabilities[index] / total) * weight
    for (let k = 0; k < dimensions; k++) {
      center[k] += share * vector[k]
      const value = share * weight * vector[k]
      for (let l = 0; l < dimensions; l++) moment[k][l] += value * vector[l]
    }
  }
  for (let k = 0; k < dimensions; k++) {
    for (let l = 0; l < dimensions; l++) moment[k][l] += (TEXT_LENGTH - 1) * center[k] * center[l]
  }
  return moment
}
