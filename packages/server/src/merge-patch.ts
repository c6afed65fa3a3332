/** A stored object with a patch merged into it: objects merge, null removes, all else replaces (RFC 7396). */
export function mergePatch(
  target: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      merged.delete(name)
    } else if (isObject(value)) {
      const inner = merged.get(name)
      merged.set(name, mergePatch(isObject(inner) ? inner : {}, value))
    } else {
      merged.set(name, value)
    }
  }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
