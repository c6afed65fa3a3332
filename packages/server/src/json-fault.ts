/** Longest object of a client's own, as JSON, in UTF-16 code units. */
const MAX_LENGTH = 64 * 1024
/** Deepest nesting of one; deeper ones overflow stacks further down. */
const MAX_DEPTH = 32

/** Why an object of a client's own cannot be kept as it is; undefined when it can. */
export function jsonFault(value: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current, depth } = next
    if (typeof current !== 'object' || current === null) continue
    if (depth > MAX_DEPTH) return `May not be nested deeper than ${MAX_DEPTH} levels`
    // Kept, it would be lost or do harm wherever objects are copied by assignment.
    if (Object.hasOwn(current, '__proto__')) return 'May not have a field named "__proto__"'
    for (const item of Object.values(current)) open.push({ value: item, depth: depth + 1 })
  }
  const length = JSON.stringify(value).length
  if (length > MAX_LENGTH) {
    return `Has ${length} characters as JSON; ${MAX_LENGTH} are allowed`
  }
  return undefined
}
