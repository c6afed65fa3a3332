/** Deepest nesting of JSON that is taken from outside. No API has a use for more, and deeper values overflow stacks wherever they are walked. */
export const MAX_JSON_DEPTH = 100

/** Whether arrays and objects of a parsed JSON value lie in each other more than `depth` levels deep. */
export function isNestedDeeper(value: unknown, depth: number): boolean {
  let level: readonly object[] = isNest(value) ? [value] : []
  for (let reached = 0; level.length > 0; reached += 1) {
    if (reached === depth) return true
    const inner: object[] = []
    for (const nest of level) {
      for (const item of Object.values(nest)) if (isNest(item)) inner.push(item)
    }
    level = inner
  }
  return false
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
