/** Whether a field says true, as YAML or as text; anything else is no. */
export function flagField(frontmatter: Readonly<Record<string, unknown>>, key: string): boolean {
  const value = frontmatter[key]
  return value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true')
}

/**
 * The names under a list field such as `deps` or `exclude_deps` (spec 03, 4.2).
 *
 * Only a list of texts counts. A scalar is ignored, and a map anywhere below drops the whole field, so that a lost `pip:`
 * cannot turn a Python package into one of the system.
 */
export function listField(
  frontmatter: Readonly<Record<string, unknown>>,
  key: string,
): readonly string[] {
  const value = frontmatter[key]
  if (!Array.isArray(value)) return []
  const items = value as readonly unknown[]
  if (items.some((item) => typeof item === 'object' && item !== null)) return []
  return items
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim())
    .filter((item) => item !== '')
}
