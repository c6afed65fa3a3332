/** Whether a value of JSON is nested deeper than so many levels. It may be nested deeper than any stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current, depth } = next
    if (typeof current !== 'object' || current === null) continue
    if (depth > levels) return true
    for (const item of Object.values(current)) open.push({ value: item, depth: depth + 1 })
  }
  return false
}
