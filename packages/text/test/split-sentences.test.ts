import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSentences } from '../src/index.js'

describe('splitSentences', () => {
  it.each([
    [
      'Hi. We decided to move billing to Stripe in May. More.',
      ['Hi.', 'We decided to move billing to Stripe in May.', 'More.'],
    ],
    ['Dr. Smith and J. Doe met. They ate.', ['Dr. Smith and J. Doe met.', 'They ate.']],
    ['Use a tool, e.g. Vitest. Then go.', ['Use a tool, e.g. Vitest.', 'Then go.']],
    ['It is v1. 2 now. Pi is 3.14. Yes.', ['It is v1. 2 now.', 'Pi is 3.14.', 'Yes.']],
    ['See no. 5 of Dec. 24. Done.', ['See no. 5 of Dec. 24.', 'Done.']],
    ['In the U.S. Senate at 5 p.m. He left.', ['In the U.S. Senate at 5 p.m.', 'He left.']],
    ['So do I. Then we go.', ['So do I.', 'Then we go.']],
    ['It stopped in 2023. 15 people left.', ['It stopped in 2023.', '15 people left.']],
    ['1. First thing\n2. Second thing', ['1. First thing', '2. Second thing']],
    ['"Really?" she asked. (Yes.) Good!', ['"Really?"', 'she asked.', '(Yes.)', 'Good!']],
    ['Wait... what?! No way', ['Wait... what?!', 'No way']],
    ['see example.com/a.b?c=d for it', ['see example.com/a.b?c=d for it']],
    ['我们去。好吗？「好！」他说', ['我们去。', '好吗？', '「好！」', '他说']],
    ['मैं गया। वह आई।', ['मैं गया।', 'वह आई।']],
    ['one\r\n\r\n  two  \n', ['one', 'two']],
    [' \n ', []],
    ['', []],
  ])('splits %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })

  it('loses nothing but blanks, and gives no empty sentence', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '1', ' ', '.', '!', '?', '。', '\n', '"', ')', 'é', '👍'),
    })
    fc.assert(
      fc.property(text, (content) => {
        const sentences = splitSentences(content)
        expect(sentences.join('').replaceAll(/\s/g, '')).toBe(content.replaceAll(/\s/g, ''))
        for (const sentence of sentences) expect(sentence).toBe(sentence.trim() || 'not empty')
      }),
      { numRuns: 500 },
    )
  })

  it.each(['. ', '.', 'a', 'a. ', '。', ' '])('gets through a megabyte of %j', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(splitSentences(text).length).toBeLessThanOrEqual(1_000_000)
  })
})
