/** One thing that `loam doctor` looked at. */
export interface Finding {
  readonly name: string
  /** `warning`: it works, and something should be done. */
  readonly state: 'ok' | 'warning' | 'broken'
  /** A sentence for people. */
  readonly detail: string
}
