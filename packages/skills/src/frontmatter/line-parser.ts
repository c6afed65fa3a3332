/** One field as its lines say it. */
export interface FieldLines {
  readonly key: string
  /** What stands behind the first colon, without quotes around it or lines below it. */
  readonly value: string
  /** The indented lines and list items below it, as they are. */
  readonly block: readonly string[]
  /** Line within the frontmatter, from 0. */
  readonly line: number
}

/**
 * Reads frontmatter that is no YAML: one `key: value` a line, split at the first colon. It never fails; a line that belongs
 * to no field is passed over. Of a field that comes twice the last one counts, as in YAML parsers.
 */
export function readFieldLines(frontmatter: string): ReadonlyMap<string, FieldLines> {
  const fields = new Map<string, FieldLines>()
  let open: { field: FieldLines; block: string[] } | undefined
  frontmatter.split('\n').forEach((text, line) => {
    const match = FIELD.exec(text)
    if (match !== null) {
      const [, key = '', value = ''] = match
      const block: string[] = []
      open = { field: { key, value: value.trim(), block, line }, block }
      fields.set(key, open.field)
    } else if (open !== undefined && BELONGS_ABOVE.test(text)) {
      open.block.push(text)
    }
  })
  return fields
}

/** A field as one line of text: quotes removed, lines below joined with blanks, comments between items left out. */
export function textOfField({ value, block }: FieldLines): string {
  const isBlockScalar = BLOCK_SCALAR.test(value)
  const below = block
    .map((line) => line.trim())
    .filter((line) => line !== '' && (isBlockScalar || !line.startsWith('#')))
    .map((line) => (isBlockScalar ? line : unquote(line.replace(ITEM, ''))))
  const first = isBlockScalar || COMMENT.test(value) ? '' : unquoteAcross(value, below)
  return [first, ...below].filter((part) => part !== '').join(' ')
}

/** Quotes that open on the first line may close on the last. */
function unquoteAcross(value: string, below: string[]): string {
  const quote = value[0]
  const last = below.at(-1)
  if ((quote === '"' || quote === "'") && last?.endsWith(quote) && !value.endsWith(quote, 1)) {
    below[below.length - 1] = last.slice(0, -1)
    return value.slice(1)
  }
  return unquote(value)
}

/** Removes matching quotes around a text. */
export function unquote(text: string): string {
  const quote = text[0]
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text
  const inner = text.slice(1, -1)
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'")
}

const FIELD = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?:[ \t]+(.*))?$/
const BELONGS_ABOVE = /^(?:[ \t]|-(?:[ \t]|$)|$)/
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]?(?:\s+#.*)?$/
const ITEM = /^-(?:[ \t]+|$)/
const COMMENT = /^#/
