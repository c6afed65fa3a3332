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
  let block: string[] | undefined
  let indent = ''
  frontmatter.split('\n').forEach((whole, line) => {
    // All fields may be indented, as the first one is.
    if (block === undefined) indent = /^[ \t]*/.exec(whole)?.[0] ?? ''
    const text = whole.startsWith(indent) ? whole.slice(indent.length) : whole
    const match = FIELD_START.exec(text)
    if (match !== null) {
      const [start, key = ''] = match
      block = []
      fields.set(key, { key, value: text.slice(start.length).trim(), block, line })
    } else if (block !== undefined && (BELONGS_ABOVE.test(text) || goesOn(text, block.at(-1)))) {
      block.push(text)
    }
  })
  return fields
}

/** A line that should have been indented: directly below a text, and with no colon by which it might be a field. */
function goesOn(text: string, before: string | undefined): boolean {
  return before?.trim() !== '' && !text.startsWith('#') && !/:(?:[ \t]|$)/.test(text)
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
  const isOpen = (quote === '"' || quote === "'") && (value === quote || !value.endsWith(quote))
  if (isOpen && last?.endsWith(quote)) {
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
  if (hasPairs(inner, quote)) return text
  return quote === '"' ? inner.replaceAll('\\"', '"') : inner.replaceAll("''", "'")
}

/** Whether the quotes around are not of one pair, as in `"reads" and "writes"`: the first inside closes a word. */
function hasPairs(inner: string, quote: string): boolean {
  const parts = inner.replaceAll(quote === '"' ? '\\"' : "''", '').split(quote)
  const [first = '', second = ''] = parts
  return parts.length > 1 && parts.length % 2 === 1 && /\S$/.test(first) && !/^\w/.test(second)
}

// Up to the colon. What follows is cut off and trimmed, since an expression that trims takes the square of a line of blanks.
const FIELD_START = /^["']?([\p{L}_][\p{L}\p{N}_.-]*)["']?[ \t]*:(?=[ \t]|[^\s:/]|$)/u
// Indented, an item, empty, or the end of brackets.
const BELONGS_ABOVE = /^(?:[ \t]|-(?:[ \t]|$)|[}\]]+,?[ \t]*$|$)/
const BLOCK_SCALAR = /^[|>][+-]?\d?[+-]?(?:\s+#.*)?$/
const ITEM = /^-(?:[ \t]+|$)/
const COMMENT = /^#(?:[ \t]|$)/
