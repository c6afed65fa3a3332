/** A question, with what it should have found and what it found. */
export interface RankedQuestion {
  readonly category: number
  /** The evidence strings as they stand in the file. */
  readonly evidence: readonly string[]
  /** Ids of the turns that were found, best first. */
  readonly retrieved: readonly string[]
}

/** Recall over a set of questions, 0 to 1. */
export interface Recall {
  readonly questions: number
  /** By cut-off, in the order asked for. */
  readonly at: readonly number[]
  /** Mean reciprocal rank of the first evidence turn. */
  readonly mrr: number
}

/** The kinds of LoCoMo's questions, in the order of its paper (spec 09, "The measure"). */
export const CATEGORIES: readonly (readonly [number, string])[] = [
  [4, 'single-hop'],
  [1, 'multi-hop'],
  [2, 'temporal'],
  [3, 'open-domain'],
  [5, 'adversarial'],
]

/**
 * Recall as upstream counts it: the share of a question's evidence strings that stand verbatim among the ids; a question
 * without evidence counts as zero (spec 09, "The measure").
 */
export function upstreamRecall(
  questions: readonly RankedQuestion[],
  cutoffs: readonly number[],
): Recall {
  return average(questions, cutoffs)
}

/**
 * Recall with the evidence repaired: strings that name several turns are split, ids that no turn has are dropped, and
 * questions without any evidence left are not counted (spec 09, "The measure").
 */
export function repairedRecall<Question extends RankedQuestion>(
  questions: readonly Question[],
  cutoffs: readonly number[],
  turnIdsOf: (question: Question) => ReadonlySet<string>,
): Recall {
  const repaired = questions
    .map((question) => ({
      ...question,
      evidence: repairEvidence(question.evidence, turnIdsOf(question)),
    }))
    .filter(({ evidence }) => evidence.length > 0)
  return average(repaired, cutoffs)
}

/** Splits evidence strings such as `D8:6; D9:17` and keeps the ids that exist, each once. */
export function repairEvidence(
  evidence: readonly string[],
  turnIds: ReadonlySet<string>,
): readonly string[] {
  const ids = evidence.flatMap((text) => text.split(/[;,\s]+/)).filter((id) => turnIds.has(id))
  return Array.from(new Set(ids))
}

function average(questions: readonly RankedQuestion[], cutoffs: readonly number[]): Recall {
  const mean = (measure: (question: RankedQuestion) => number) =>
    questions.length === 0
      ? 0
      : questions.reduce((sum, question) => sum + measure(question), 0) / questions.length
  return {
    questions: questions.length,
    at: cutoffs.map((cutoff) => mean((question) => recallAt(question, cutoff))),
    mrr: mean(reciprocalRank),
  }
}

function recallAt({ evidence, retrieved }: RankedQuestion, cutoff: number): number {
  if (evidence.length === 0) return 0
  const found = new Set(retrieved.slice(0, cutoff))
  return evidence.filter((id) => found.has(id)).length / evidence.length
}

function reciprocalRank({ evidence, retrieved }: RankedQuestion): number {
  const index = retrieved.findIndex((id) => evidence.includes(id))
  return index === -1 ? 0 : 1 / (index + 1)
}
