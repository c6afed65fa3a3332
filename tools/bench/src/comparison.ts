import { quantile, summarise, type Summary } from './statistics.js'

/** One of the things compared. */
export interface Side {
  readonly name: string
  /** Does the work of one round and returns its figure. The same number means the same work for every side. */
  measure(round: number): Promise<number>
}

/** What is compared, and how. */
export interface ComparisonOptions {
  readonly title: string
  readonly unit: string
  /** Whether a higher figure is better, as of a rate, or a lower one, as of a time. */
  readonly better: 'higher' | 'lower'
  /** Whether ours is to be so many times theirs, or so much more. Default: ratio. */
  readonly by?: 'ratio' | 'difference' | undefined
  /** The bound that the ratio or difference of ours to theirs is to keep: at least, if higher is better, else at most. */
  readonly target: number
  /** Ways in which Loam does it; the best one counts. */
  readonly ours: readonly Side[]
  /** Ways in which the other does it; the best one counts. Empty: Loam is measured alone. */
  readonly theirs: readonly Side[]
  /** Measured and shown beside them; not part of the outcome. Default: none. */
  readonly besides?: readonly Side[] | undefined
  readonly rounds: number
  /** Done once between the warm-up and the first round. Default: nothing. */
  readonly afterWarmUp?: (() => Promise<void>) | undefined
  /** Told before each piece of work. Round 0 warms up and is not counted. */
  readonly onProgress?: ((note: string) => void) | undefined
}

/** The figures of one side. */
export interface MeasuredSide extends Summary {
  readonly name: string
}

/** The figures of all sides, and how the best ones compare. */
export interface Comparison {
  readonly title: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  readonly target: number
  readonly ours: readonly MeasuredSide[]
  readonly theirs: readonly MeasuredSide[]
  readonly besides: readonly MeasuredSide[]
  /** Undefined when Loam was measured alone. */
  readonly outcome: Outcome | undefined
}

/** Ours to theirs: of the medians, and the range over the rounds. */
export interface Outcome {
  readonly by: 'ratio' | 'difference'
  readonly ours: string
  readonly theirs: string
  readonly ofMedians: number
  readonly min: number
  readonly max: number
  readonly targetMet: boolean
}

/**
 * Measures both sides by turns, so that whatever else the machine does meanwhile weighs on both; every second round goes
 * the other way about, so that neither always comes after the other.
 */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  const { title, unit, better, by = 'ratio', target, rounds, onProgress = () => {} } = options
  const { ours, theirs, besides = [] } = options
  const samples = new Map<Side, number[]>()
  const sides = [...ours, ...theirs, ...besides]
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) await options.afterWarmUp?.()
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      onProgress(
        `${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}, ${side.name}`,
      )
      const figure = await side.measure(round)
      if (round > 0) samples.set(side, [...(samples.get(side) ?? []), figure])
    }
  }
  const measured = (some: readonly Side[]) =>
    some.map((side) => ({ name: side.name, ...summarise(samples.get(side) ?? []) }))
  const figures = { ours: measured(ours), theirs: measured(theirs), besides: measured(besides) }
  const outcome = outcomeOf(best(figures.ours, better), best(figures.theirs, better), {
    better,
    by,
    target,
  })
  return { title, unit, better, target, ...figures, outcome }
}

function best(
  sides: readonly MeasuredSide[],
  better: ComparisonOptions['better'],
): MeasuredSide | undefined {
  const sorted = sides.toSorted((a, b) => a.median - b.median)
  return better === 'higher' ? sorted.at(-1) : sorted[0]
}

function outcomeOf(
  ours: MeasuredSide | undefined,
  theirs: MeasuredSide | undefined,
  { better, by, target }: Pick<Outcome, 'by'> & Pick<ComparisonOptions, 'better' | 'target'>,
): Outcome | undefined {
  if (ours === undefined || theirs === undefined) return undefined
  const held = (one: number, other: number) => (by === 'ratio' ? one / other : one - other)
  const ofMedians = held(ours.median, theirs.median)
  const ofRounds = ours.samples.map((sample, index) => held(sample, theirs.samples[index] ?? 0))
  return {
    by,
    ours: ours.name,
    theirs: theirs.name,
    ofMedians,
    min: quantile(ofRounds, 0),
    max: quantile(ofRounds, 1),
    targetMet: better === 'higher' ? ofMedians >= target : ofMedians <= target,
  }
}
