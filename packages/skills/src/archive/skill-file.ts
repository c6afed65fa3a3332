/** A file of a skill, wherever it comes from. */
export interface SkillFile {
  /** Relative to the skill's folder, with slashes, such as `scripts/run.py`. */
  readonly path: string
  readonly content: Uint8Array
}

/** Order of paths that is the same on every machine: by UTF-16 code unit, whatever the language. */
export function comparePaths(first: string, second: string): number {
  if (first === second) return 0
  return first < second ? -1 : 1
}
