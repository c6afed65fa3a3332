/** Figures of one side over all rounds. */
export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly samples: readonly number[]
}

/** Sums up figures. @throws RangeError when there are none. */
export function summarise(samples: readonly number[]): Summary {
  return {
    median: quantile(samples, 0.5),
    min: quantile(samples, 0),
    max: quantile(samples, 1),
    samples,
  }
}

/** The value below which this share (0 to 1) of the values lies, interpolated. @throws RangeError when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) {
    throw new RangeError('There are no values to take a quantile of.')
  }
  return below + (above - below) * (place - Math.floor(place))
}
