/** Most statements that a connection keeps prepared; each costs the server some ten kilobytes on every connection. */
const MAX_PREPARED = 300

/**
 * Gives each statement text a name of its own, under which a connection parses and plans it once and not each time.
 * Statements beyond the first 300 stay nameless.
 */
export function createStatementNames() {
  const names = new Map<string, string>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_PREPARED) return known
    const name = `loam_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
