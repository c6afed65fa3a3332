import type { Comparison } from '../comparison.js'
import type { Sizes } from '../sizes.js'
import type { World } from '../world.js'

/** What a benchmark works with. */
export interface BenchmarkOptions {
  readonly world: World
  readonly sizes: Sizes
  /** Where what is measured beside it is installed. Undefined: Loam is measured without them. */
  readonly peersFolder: string | undefined
  readonly onProgress: (note: string) => void
}

/** Measures one thing, in one or more comparisons. */
export type Benchmark = (options: BenchmarkOptions) => Promise<readonly Comparison[]>
