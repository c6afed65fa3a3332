import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWords } from '../src/count-words.js'

/** Words as Unicode says (UAX 29). */
function segmented(text: string): number {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length
}

describe('countWords', () => {
  it.each([
    ['', 0],
    [' _ ... ', 0],
    ["They don't.", 2],
    ['3.14 of 1,000 snake_case words', 5],
    ['Wir fahren über Köln', 4],
    ['今日は良い天気です', 5],
    ['мы едем', 2],
  ])('counts the words of %j', (text, count) => {
    expect(countWords(text)).toBe(count)
  })

  it('agrees with the segmentation of Unicode on ASCII text', () => {
    // Releases of Unicode differ on the colon, and on underscores by themselves.
    const text = fc.string({ unit: fc.constantFrom(...Array.from('aZ09.,;\'"- \n/()&@')) })
    fc.assert(
      fc.property(text, (any) => {
        expect(countWords(any)).toBe(segmented(any))
      }),
    )
  })
})
