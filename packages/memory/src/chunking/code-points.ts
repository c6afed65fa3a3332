const HIGH_SURROGATE_FIRST = 0xd800
const HIGH_SURROGATE_LAST = 0xdbff

/** How many code points the text has. */
export function countCodePoints(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index = nextCodePoint(text, index)) count += 1
  return count
}

/** The index after `count` code points from `start`, at most the end of the text. */
export function skipCodePoints(text: string, start: number, count: number): number {
  let index = start
  for (let skipped = 0; skipped < count && index < text.length; skipped += 1) {
    index = nextCodePoint(text, index)
  }
  return index
}

function nextCodePoint(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  const isPair =
    unit >= HIGH_SURROGATE_FIRST && unit <= HIGH_SURROGATE_LAST && index + 1 < text.length
  return index + (isPair ? 2 : 1)
}
