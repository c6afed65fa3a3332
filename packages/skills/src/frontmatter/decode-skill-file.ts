import { isStorableText, toStorableText } from '@loam/core'
import type { SkillWarning } from '../skill.js'

/** Most bytes of a SKILL.md that are read; what follows is left out with a warning. */
export const MAX_SKILL_FILE_BYTES = 1024 * 1024

/**
 * Makes text of a SKILL.md: without a byte order mark, with `\n` as line ends. Nothing is refused; what had to be changed is
 * named in the warnings.
 */
export function decodeSkillFile(source: string | Uint8Array): {
  readonly text: string
  readonly warnings: readonly SkillWarning[]
} {
  const warnings: SkillWarning[] = []
  const decoded = typeof source === 'string' ? source : decode(source, warnings)
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded
  if (!isStorableText(text)) {
    warnings.push({
      code: 'encoding',
      message:
        'The file holds NUL, half of a surrogate pair or a second byte order mark, which were taken out. Save it as UTF-8 text.',
    })
  }
  return { text: toStorableText(text).replaceAll(LINE_ENDS, '\n'), warnings }
}

function decode(bytes: Uint8Array, warnings: SkillWarning[]): string {
  if (bytes.length > MAX_SKILL_FILE_BYTES) {
    warnings.push({
      code: 'frontmatter_limit',
      message: `The file has more than ${MAX_SKILL_FILE_BYTES} bytes, which are all that is read. Move long texts to files of their own under references/.`,
    })
  }
  const read = bytes.subarray(0, MAX_SKILL_FILE_BYTES)
  const wide = wideEncodingOf(read)
  if (wide !== undefined) {
    warnings.push({
      code: 'encoding',
      message: `The file is ${wide.toUpperCase()}. Save it as UTF-8.`,
    })
    return new TextDecoder(wide).decode(read)
  }
  const isWhole = read.length === bytes.length
  try {
    // A character that the limit cuts in half is no fault of the file's.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read, {
      stream: !isWhole,
    })
  } catch {
    warnings.push({
      code: 'encoding',
      message:
        'The file is no UTF-8; bytes that could not be read became U+FFFD. Save it as UTF-8.',
    })
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(read)
  }
}

function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

const BYTE_ORDER_MARK = '\uFEFF'
const LINE_ENDS = /\r\n?/g
