/** One thing that `loam doctor` looked at. */
export interface Finding {
  readonly name: string
  /** `warning`: it works, and something should be done. `unseen`: it cannot be told from here. */
  readonly state: 'ok' | 'warning' | 'broken' | 'unseen'
  /** A sentence for people. */
  readonly detail: string
}
