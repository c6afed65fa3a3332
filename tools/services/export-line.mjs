/**
 * A line that gives a variable to a POSIX shell and to what it starts, whatever the value holds.
 * @param {string} name
 * @param {string} value
 */
export function exportLine(name, value) {
  return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`
}
