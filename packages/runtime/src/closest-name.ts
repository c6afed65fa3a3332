/** The name that fewest slips of the keyboard make of `given`; undefined when it takes more than a third of its letters. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const measured = names
    .map((name) => ({ name, slips: slipsBetween(given.toUpperCase(), name) }))
    .toSorted((a, b) => a.slips - b.slips)
  const [closest] = measured
  return closest && closest.slips <= closest.name.length / 3 ? closest.name : undefined
}

/** Letters inserted, left out, replaced, or swapped with their neighbour (optimal string alignment distance). */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let slips = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        slips = Math.min(slips, beforeLast[column - 2]! + 1)
      }
      current.push(slips)
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[b.length]!
}
