import { termFrequencies } from '@loam/text'
import type { TermFrequencies } from '@loam/storage'

/** The terms of several texts together: of a chunk, and of what it is found by without showing it. */
export function termsOf(texts: readonly (string | undefined)[]): TermFrequencies {
  return texts
    .filter((text) => text !== undefined)
    .map(termFrequencies)
    .reduce<TermFrequencies>(addTerms, new Map())
}

/** The sums of two counts. */
export function addTerms(one: TermFrequencies, other: TermFrequencies): TermFrequencies {
  const sum = new Map(one)
  for (const [term, frequency] of other) sum.set(term, (sum.get(term) ?? 0) + frequency)
  return sum
}
