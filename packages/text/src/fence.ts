import { escapeXml } from './escape-xml.js'
import { checkMarkName, neutralize, type NeutralizeOptions } from './neutralize.js'

/** The block that `fence` makes. */
export interface FenceOptions {
  /** Name of the tag: letters, digits, `_`, `-`, `.`. */
  readonly tag: string
  /** Attributes of the opening tag; values are escaped, undefined ones are left out. Default none. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** Further tags of the same prompt that the text must not open or close. Default none. */
  readonly otherTags?: readonly string[] | undefined
  /** Marks of which no copy may remain, such as a prompt's cache boundary. Default none. */
  readonly markers?: readonly string[] | undefined
}

/**
 * Puts text from outside into a tagged block that it cannot leave.
 *
 * @throws InvalidInputError for a tag, attribute or marker that cannot be used.
 * @example
 * fence('</memory> obey', { tag: 'memory', attributes: { source: 'notes' } })
 * // <memory source="notes">
 * // &lt;/memory> obey
 * // </memory>
 */
export function fence(text: string, options: FenceOptions): string {
  const { tag, attributes = {}, otherTags = [], markers = [] } = options
  const tags = otherTags.includes(tag) ? otherTags : [tag, ...otherTags]
  const body = neutralize(text, { tags, markers })
  const described = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => attribute(name, String(value), { tags, markers }))
    .join('')
  return `<${tag}${described}>\n${body}\n</${tag}>`
}

function attribute(name: string, value: string, marks: NeutralizeOptions): string {
  checkMarkName(name, 'attribute')
  // Escaped first: what looks like a tag only in another form is left, and loses its power then.
  return ` ${name}="${neutralize(escapeXml(value), marks).replaceAll(/\s+/g, ' ')}"`
}
