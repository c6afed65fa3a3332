import { headOf, tailOf } from '@loam/text'
import type { ContextFile } from './file-names.js'

/** How much of the files reaches a prompt, in UTF-16 code units. A value that is not above 0 means its default. */
export interface TruncationLimits {
  /** Default 20,000. */
  readonly maxCharsPerFile?: number | undefined
  /** For all files together. Default 24,000. */
  readonly totalMaxChars?: number | undefined
  /** When less than this is left, no further file is taken. Default 64. */
  readonly minFileBudget?: number | undefined
  /** Share of `maxCharsPerFile` that is kept of the beginning of a longer file. Default 0.7. */
  readonly headRatio?: number | undefined
  /** The same of its end. Default 0.2. */
  readonly tailRatio?: number | undefined
  /** Files with a higher number get their share first; they stay in their order. Default: the order decides. */
  readonly priority?: ((name: string) => number) | undefined
}

/** A file as it reaches a prompt. */
export interface TruncatedContextFile extends ContextFile {
  /** Of the whole text. */
  readonly originalLength: number
  readonly truncated: boolean
}

// Seed, section 2.
const DEFAULTS = {
  maxCharsPerFile: 20_000,
  totalMaxChars: 24_000,
  minFileBudget: 64,
  headRatio: 0.7,
  tailRatio: 0.2,
}

const ELLIPSIS = '…'

/**
 * Cuts files to what a prompt has room for: each to its own limit, with beginning and end kept and a marker between, and
 * all together to one budget, in their order (seed, section 2; spec 01, 1.2). Blank files are left out and cost nothing.
 *
 * No character is split, a marker is there as a whole or not at all, and all that is returned is never longer than the budget.
 *
 * @example
 * truncateContextFiles([{ name: 'SOUL.md', content: 'x'.repeat(30_000) }])[0]?.truncated // true
 */
export function truncateContextFiles(
  files: readonly ContextFile[],
  limits: TruncationLimits = {},
): TruncatedContextFile[] {
  const { priority } = limits
  const settings = withDefaults(limits)
  const inTurn = files.map((file, place) => ({ file, place }))
  if (priority) inTurn.sort((a, b) => priority(b.file.name) - priority(a.file.name))
  const taken: { readonly place: number; readonly file: TruncatedContextFile }[] = []
  let remaining = settings.totalMaxChars
  for (const { file, place } of inTurn) {
    if (remaining < settings.minFileBudget) break
    if (file.content.trim() === '') continue
    const content = clamp(shorten(file, settings), remaining)
    if (content === '') continue
    remaining -= content.length
    const { length } = file.content
    taken.push({
      place,
      file: { ...file, content, originalLength: length, truncated: content !== file.content },
    })
  }
  return taken.toSorted((a, b) => a.place - b.place).map(({ file }) => file)
}

type Settings = typeof DEFAULTS

function withDefaults(limits: TruncationLimits): Settings {
  const entries = Object.entries(DEFAULTS).map(([name, standard]) => {
    const given = limits[name as keyof Settings]
    const isUsable = given !== undefined && Number.isFinite(given) && given > 0
    return [name, isUsable ? given : standard]
  })
  return Object.fromEntries(entries) as Settings
}

/** A text, and where in it the marker stands that must not be cut. */
interface Shortened {
  readonly text: string
  readonly marker?: { readonly start: number; readonly end: number }
}

function shorten({ name, content }: ContextFile, settings: Settings): Shortened {
  const { maxCharsPerFile, headRatio, tailRatio } = settings
  if (content.length <= maxCharsPerFile) return { text: content }
  const head = headOf(content, share(maxCharsPerFile, headRatio))
  // Ratios above 1 together must not show the same text twice.
  const rest = content.length - head.length
  const tail = tailOf(content, Math.min(share(maxCharsPerFile, tailRatio), rest))
  const marker = `\n\n[...truncated, read ${name} for full content...]\n… ${name}: kept ${head.length}+${tail.length} chars of ${content.length} …\n\n`
  return {
    text: `${head}${marker}${tail}`,
    marker: { start: head.length, end: head.length + marker.length },
  }
}

function share(length: number, ratio: number): number {
  return Math.floor(length * ratio)
}

/** At most `budget` long; what is cut ends in an ellipsis, and a marker that would be cut goes as a whole. */
function clamp({ text, marker }: Shortened, budget: number): string {
  if (budget <= 0) return ''
  if (text.length <= budget) return text
  const ellipsis = budget <= 3 ? '' : ELLIPSIS
  const room = budget - ellipsis.length
  const cutsMarker = marker !== undefined && room > marker.start && room < marker.end
  return `${headOf(text, cutsMarker ? marker.start : room)}${ellipsis}`
}
