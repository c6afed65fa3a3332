/** What a finding is about; the areas come in this order. */
export const AREAS = ['Settings', 'Store', 'Jobs', 'Models', 'Memory', 'Skills'] as const
/** See `AREAS`. */
export type Area = (typeof AREAS)[number]

/** One thing that `loam doctor` looked at. */
export interface Finding {
  readonly area: Area
  readonly name: string
  /** `warning`: it works, and something should be done. */
  readonly state: 'ok' | 'warning' | 'broken'
  /** A sentence for people. */
  readonly detail: string
}
