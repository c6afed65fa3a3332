import { headOf } from '@loam/text'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const MAX_HEADING_LENGTH = 100

/** A line among the headings of its text. */
export interface HeadedLine {
  readonly isHeading: boolean
  /** The headings above the line, outermost first, such as `Projects > Billing`; undefined without one. */
  readonly above: string | undefined
}

/** Follows the Markdown headings of a text from line to line. A `#` inside a fenced block is no heading. */
export function trackHeadings(): { read(line: string): HeadedLine } {
  const headings: { readonly level: number; readonly title: string }[] = []
  let openFence: string | undefined
  const above = () =>
    headings.length === 0 ? undefined : headings.map(({ title }) => title).join(' > ')
  const readFence = (line: string) => {
    const fence = FENCE.exec(line)?.[1]
    if (fence === undefined) return
    if (openFence === undefined) openFence = fence
    else if (fence.startsWith(openFence)) openFence = undefined
  }
  return {
    read: (line) => {
      readFence(line)
      const heading = openFence === undefined ? parseHeading(line) : undefined
      if (heading === undefined) return { isHeading: false, above: above() }
      while ((headings.at(-1)?.level ?? 0) >= heading.level) headings.pop()
      const headed = { isHeading: true, above: above() }
      headings.push(heading)
      return headed
    },
  }
}

function parseHeading(line: string) {
  const [, marks, rest] = HEADING.exec(line) ?? []
  if (marks === undefined || rest === undefined) return undefined
  // Cut first: the expression below takes quadratic time over a long run of blanks.
  const title = headOf(rest, MAX_HEADING_LENGTH * 2)
    .replace(/[ \t]+#+[ \t]*$/, '')
    .trim()
  return title === ''
    ? undefined
    : { level: marks.length, title: headOf(title, MAX_HEADING_LENGTH) }
}
