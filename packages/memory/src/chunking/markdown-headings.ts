import { headOf } from '@loam/text'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const MAX_HEADING_LENGTH = 100

/** Follows the Markdown headings of a text from line to line. */
export interface HeadingTracker {
  /** The headings above the line that comes next, outermost first, such as `Projects > Billing`; undefined without one. */
  path(): string | undefined
  /** Takes the next line; whether it is a heading. */
  read(line: string): boolean
}

/** Makes a tracker that stands before the first line. A `#` inside a fenced block is no heading. */
export function trackHeadings(): HeadingTracker {
  const headings: { readonly level: number; readonly title: string }[] = []
  let openFence: string | undefined
  return {
    path: () =>
      headings.length === 0 ? undefined : headings.map(({ title }) => title).join(' > '),
    read: (line) => {
      const fence = FENCE.exec(line)?.[1]
      if (fence !== undefined) {
        if (openFence === undefined) openFence = fence
        else if (fence.startsWith(openFence)) openFence = undefined
        return false
      }
      if (openFence !== undefined) return false
      const [, marks, rest] = HEADING.exec(line) ?? []
      if (marks === undefined || rest === undefined) return false
      const title = headOf(
        headOf(rest, MAX_HEADING_LENGTH * 2).replace(/[ \t]+#+[ \t]*$/, '').trim(), MAX_HEADING_LENGTH)
      if (title === '') return false
      while ((headings.at(-1)?.level ?? 0) >= marks.length) headings.pop()
      headings.push({ level: marks.length, title })
      return true
    },
  }
}
