/** A file of a skill, wherever it comes from. */
export interface SkillFile {
  /** Relative to the skill's folder, with slashes, such as `scripts/run.py`. */
  readonly path: string
  readonly content: Uint8Array
}
