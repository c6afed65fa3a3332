/**
 * How many tokens a language model is likely to see in a text, rounded up: four characters a token in Latin script,
 * two in other alphabets, one in Chinese, Japanese, Korean and the scripts of Southeast Asia, two tokens for an emoji.
 *
 * An estimate for budgets, not a count: real tokenisers differ from it, and from each other, by a third and more.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let position = 0; position < text.length; position += 1) {
    quarters += quartersOf(text.charCodeAt(position))
  }
  return Math.ceil(quarters / 4)
}

// Per UTF-16 unit, so that a pair (an emoji, a rare ideograph) counts twice.
function quartersOf(unit: number): 1 | 2 | 4 {
  if (unit < 0x3_00) return 1
  if (unit >= 0x1e_00 && unit <= 0x20_6f) return 1 // further Latin letters, general punctuation
  if (unit < 0x0e_00) return 2 // Greek, Cyrillic, Hebrew, Arabic, the scripts of India
  if (unit <= 0x0e_ff) return 4 // Thai, Lao
  if (unit >= 0x10_00 && unit <= 0x10_9f) return 4 // Myanmar
  if (unit >= 0x11_00 && unit <= 0x11_ff) return 4 // Hangul letters
  if (unit >= 0x17_80 && unit <= 0x17_ff) return 4 // Khmer
  return unit >= 0x2e_80 ? 4 : 2
}
