/**
 * What a bullet or a line such as `- **Name:** Ada` says; '' when it is blank or missing. Marks around the value are taken
 * off, and a line that goes on with another field has no value of its own.
 */
export function fieldOf(text: string, field: string): string {
  for (const line of text.split(/\r?\n/)) {
    const label = labelOf(line, field)
    if (!label) continue
    const value = bare(line.slice(label.length))
    return holdsField(value) ? '' : value
  }
  return ''
}

/** The text with that value in its field, in the field's own markup; a missing field is put behind the first heading. */
export function withField(text: string, field: string, value: string): string {
  const clean = value.replaceAll(/\s+/g, ' ').trim()
  if (clean === '') return text
  if (text.trim() === '') return `${field}: ${clean}\n`
  const lines = text.split('\n')
  const place = lines.findIndex((line) => labelOf(line, field) !== undefined)
  if (place !== -1) {
    const line = lines[place] ?? ''
    lines[place] = `${labelOf(line, field) ?? ''} ${clean}${line.endsWith('\r') ? '\r' : ''}`
    return lines.join('\n')
  }
  const heading = lines.findIndex((line) => /^#{1,6}\s/.test(line))
  const added = heading === -1 ? [`- **${field}:** ${clean}`] : ['', `- **${field}:** ${clean}`]
  return lines.toSpliced(heading + 1, 0, ...added).join('\n')
}

/** The beginning of a line up to and with the colon of its field, with the marks that close there; undefined for other lines. */
function labelOf(line: string, field: string): string | undefined {
  const name = field.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(
    String.raw`^[ \t]{0,8}(?:[-*+][ \t]+)?[*_]{0,3}${name}[*_]{0,3}[ \t]*:[*_]{0,3}`,
    'i',
  )
  return pattern.exec(line)?.[0]
}

/** Whether a value is another field, which stands on the same line. */
function holdsField(value: string): boolean {
  return /^[-*+]?\s*[*_]{2}[^*_:]{1,40}:|^[-*+]\s+\S{1,40}:|\s\*\*[^*:]{1,40}(?::\*\*|\*\*:)/.test(
    value,
  )
}

const MARKS = ['**', '__', '*', '_', '`']

function bare(text: string): string {
  let value = text.trim()
  for (;;) {
    const mark = MARKS.find(
      (candidate) =>
        value.length >= 2 * candidate.length &&
        value.startsWith(candidate) &&
        value.endsWith(candidate),
    )
    if (mark === undefined) return value
    value = value.slice(mark.length, value.length - mark.length).trim()
  }
}
