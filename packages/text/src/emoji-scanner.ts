import { classOf, EMOJI } from './character-class.js'

/** More than any emoji has; what is longer is decoration, and cut. */
const MAX_EMOJI_LENGTH = 16

/**
 * Tells the emoji that begins at `start` as one term, and answers where it ends. Pictographs that a joiner connects are one
 * (👩‍🚀), and so are the two letters of a flag. Skin tones are left out like accents: 👍🏽 is 👍.
 */
export function scanEmoji(
  text: string,
  start: number,
  visitor: { emoji?(term: string): void },
): number {
  if (isFlagLetter(text.codePointAt(start))) {
    const middle = start + 2
    if (!isFlagLetter(text.codePointAt(middle))) return middle
    visitor.emoji?.(text.slice(start, middle + 2))
    return middle + 2
  }
  let term = ''
  let length = 0
  let position = start
  for (;;) {
    const from = position
    position = endOfTags(text, position + widthAt(text, position))
    if (length < MAX_EMOJI_LENGTH) {
      term += (length === 0 ? '' : JOINER) + text.slice(from, position)
      length += 1
    }
    while (isSkinTone(text.codePointAt(position))) position += 2
    if (text[position] !== JOINER || !isPictograph(text.codePointAt(position + 1))) break
    position += 1
  }
  visitor.emoji?.(term)
  return position
}

const JOINER = '\u200D'

/** The flags of England, Scotland and Wales carry their region in invisible letters. */
function endOfTags(text: string, start: number): number {
  let position = start
  while (isTag(text.codePointAt(position)) && position - start < 2 * MAX_TAGS) position += 2
  return position
}

const MAX_TAGS = 7

function isTag(codePoint = 0): boolean {
  return codePoint >= 0xe_00_20 && codePoint <= 0xe_00_7f
}

function isSkinTone(codePoint = 0): boolean {
  return codePoint >= 0x1_f3_fb && codePoint <= 0x1_f3_ff
}

function isFlagLetter(codePoint = 0): boolean {
  return codePoint >= 0x1_f1_e6 && codePoint <= 0x1_f1_ff
}

function isPictograph(codePoint = 0): boolean {
  return classOf(codePoint) === EMOJI && !isFlagLetter(codePoint)
}

function widthAt(text: string, position: number): 1 | 2 {
  return text.codePointAt(position)! > 0xff_ff ? 2 : 1
}
