/** How much work is done. */
export interface Sizes {
  /** Rounds that count, after one that warms up. */
  readonly rounds: number
  /** Messages that each side stores in a round. */
  readonly messages: number
  /** Messages that are searched. */
  readonly searchedMessages: number
  /** Questions that each side is asked in a round. */
  readonly questions: number
  /** Runs of a round. */
  readonly runs: number
  /** Length of the vectors. */
  readonly dimensions: number
}

/** What is measured by default, in some minutes. */
export const FULL_SIZES: Sizes = {
  rounds: 5,
  messages: 2_000,
  searchedMessages: 5_000,
  questions: 100,
  runs: 500,
  dimensions: 384,
}

/** Enough to see that everything works, in a minute. */
export const QUICK_SIZES: Sizes = {
  rounds: 2,
  messages: 300,
  searchedMessages: 1_000,
  questions: 20,
  runs: 50,
  dimensions: 384,
}
