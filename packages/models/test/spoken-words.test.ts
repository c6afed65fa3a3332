import { describe, expect, it } from 'vitest'
import { spokenWords } from '../src/spoken-words.js'

describe('spokenWords', () => {
  it.each([
    ['The Dog barks!', ['the', 'dog', 'barks']],
    ['', []],
    ['— … 🎉', []],
    ["Anna's dog, Bob’s cat", ['anna', 'dog', 'bob', 'cat']],
    ["I don't, can't and won’t", ['i', 'and']],
    ["we've, you're, she'll, I'd, I'm", ['we', 'you', 'she', 'i', 'i']],
    ["O'Brien's", ['o', 'brien']],
    ['long-term XK-4471', ['long', 'term', 'xk', '4471']],
    ['Ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
    ['Zoë naïve', ['zoë', 'naïve']],
    ['你好 мир', ['你好', 'мир']],
  ])('reads %j', (text, words) => {
    expect([...spokenWords(text)]).toEqual(words)
  })
})
