import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyze, queryTerms, termFrequencies } from '../src/index.js'

describe('analyze', () => {
  it.each([
    ['lower-cases and stems', 'Running DOGS happily', ['run', 'dog', 'happili']],
    ['drops stop words and question words', 'Who is at the door, and when?', ['door']],
    [
      'keeps the month of May and a person called Will',
      'Will left in May',
      ['will', 'left', 'mai'],
    ],
    [
      'keeps words of order and number',
      'few before, none after',
      ['few', 'befor', 'none', 'after'],
    ],
    ['takes off the possessive', "Caroline's dogs' bowls", ['carolin', 'dog', 'bowl']],
    ['reads a typographic apostrophe like a plain one', 'Caroline’s', ['carolin']],
    ['drops negated auxiliaries', "don't won’t can't ain't dont", []],
    ['takes off other English clitics', "they're Alice'll we've", ['alic']],
    ['finds a name with an apostrophe joined and by its part', "O'Brien", ['obrien', 'brien']],
    ['finds a French noun behind its article', 'l’homme', ['lhomm', 'homm']],
    ['splits codes into their parts', 'ERR_42 v1.2.3', ['err', '42', 'v1', '2', '3']],
    ['splits addresses', 'foo-bar@example.com', ['foo', 'bar', 'exampl', 'com']],
    [
      'folds accents of Latin letters',
      'Café Übergröße Łódź İstanbul',
      ['cafe', 'ubergross', 'lodz', 'istanbul'],
    ],
    ['folds tonos, dialytika and breathings', 'Αθήνα ΐ Ἀθῆναι', ['αθηνα', 'ι', 'αθηναι']],
    ['folds the final sigma', 'ΛΌΓΟΣ λόγος λογοσ', ['λογοσ', 'λογοσ', 'λογοσ']],
    ['folds ё, and drops stress', 'ёлка Влади́мир', ['елка', 'владимир']],
    ['keeps the Cyrillic letters with marks', 'й ї ў ѓ ќ', ['й', 'ї', 'ў', 'ѓ', 'ќ']],
    ['drops vowel marks and elongation', 'مُحَمَّد مـحـمـد', ['محمد', 'محمد']],
    ['keeps madda and hamza', 'آب أب', ['آب', 'أب']],
    ['finds nothing in elongation alone', 'ـــ', []],
    ['drops Hebrew points', 'שָׁלוֹם', ['שלום']],
    ['keeps the marks of the scripts of India', 'हिन्दी தமிழ்', ['हिन्दी', 'தமிழ்']],
    ['takes a keycap for its number', '1️⃣ #️⃣', ['1']],
    ['folds full-width letters and ligatures', 'ＡＢＣ ﬁne', ['abc', 'fine']],
    ['does not stem other alphabets', 'котами', ['котами']],
    ['ignores soft hyphens and joiners', 'co\u00ADope\u200Dration', ['cooper']],
    ['separates at a zero-width space', 'red\u200Bblue', ['red', 'blue']],
    ['ignores decoration on letters', 'h\u0337\u0353e\u0337l\u0337l\u0337o', ['hello']],
    ['finds no words in emoji and punctuation', '👍🏽 — ?!', []],
    ['separates at emoji', 'red🎉blue', ['red', 'blue']],
    ['finds nothing in nothing', '', []],
  ])('%s', (_, text, terms) => {
    expect(analyze(text)).toEqual(terms)
  })

  it.each([
    ['Han', '数据库设计', ['数据', '据库', '库设', '设计']],
    ['Han outside the basic plane', '𠮷野家', ['𠮷野', '野家']],
    ['Hiragana and Katakana', 'スーパーで', ['スー', 'ーパ', 'パー', 'ーで']],
    ['half-width Katakana', 'ｶﾞｽ', ['ガス']],
    ['Hangul', '서울에서', ['서울', '울에', '에서']],
    ['Thai', 'ที่นี่', ['ที่นี่']],
    ['Lao', 'ຄົນລາວ', ['ຄົນ', 'ນລ', 'ລາ', 'າວ']],
    ['Khmer', 'ខ្មែរ', ['ខ្មែ', 'មែរ']],
    ['Myanmar', 'မြန်မာ', ['မြန်', 'န်မာ']],
    [
      'Latin and numbers between',
      '私はiPhone15を買った2024年',
      ['私は', 'iphone15', 'を買', '買っ', 'った', '2024', '年'],
    ],
    ['a lone character', '文', ['文']],
  ])('makes overlapping pairs of %s (openclaw #20730, hindsight #1077)', (_, text, terms) => {
    expect(analyze(text)).toEqual(terms)
  })

  it.each([
    ['西安', '我们去年去了西安旅行'],
    ['メール', '昨日メールを送った'],
    ['กรุงเทพ', 'ฉันอยู่ที่กรุงเทพมหานคร'],
    ['서울', '우리는 서울에서 만났다'],
    ["Melanie's kids", 'Melanie took the kid to the museum'],
    ['error 42', 'It failed with ERR_42: error'],
    ['café', 'we met at the CAFE'],
  ])('finds every term of the question %j in a text that answers it', (question, text) => {
    expect(analyze(text)).toEqual(expect.arrayContaining(analyze(question)))
  })

  it('cuts blobs to one short term', () => {
    expect(analyze('x'.repeat(1_000_000))).toEqual(['x'.repeat(64)])
    expect(analyze(`${'ab12'.repeat(100_000)} end`)).toEqual(['ab12'.repeat(16), 'end'])
  })

  it.each([
    ['letters', 'a'],
    ['accented letters', 'é'],
    ['marks in an order that normalising must sort', '\u0301\u0323'],
    ['ideographs', '文'],
    ['apostrophes', "a'"],
    ['words', 'lorem ipsum '],
    ['emoji', '🎉'],
    ['joined emoji', '👩\u200D'],
    [
      'tags behind a flag',
      '\u{1F3F4}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}\u{E0067}',
    ],
  ])('gets through 10 MB of %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(10_000_000 / new TextEncoder().encode(piece).length))
    expect(termFrequencies(text).size).toBeLessThan(3)
  })

  it('gives no empty, no overlong and no ill-formed term for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const term of termFrequencies(text).keys()) {
          expect(term).not.toBe('')
          expect(Array.from(term).length).toBeLessThanOrEqual(64)
          expect(term).not.toMatch(/\s|\p{Cs}/u)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('takes lone surrogates for separators', () => {
    expect(analyze('red\uD800blue\uDFFF')).toEqual(['red', 'blue'])
  })

  it('gives the same terms for composed and decomposed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(analyze(text.normalize('NFD'))).toEqual(analyze(text.normalize('NFC')))
      }),
    )
  })
})

describe('queryTerms', () => {
  it.each([
    ['words and emoji in their order', 'pizza 🍕 for Bob🎉', ['pizza', '🍕', 'bob', '🎉']],
    ['each of several emoji', '🎉🎉🍕', ['🎉', '🎉', '🍕']],
    ['an emoji with and without variation selector', '❤️ ❤', ['❤', '❤']],
    ['a family as one term', '👨‍👩‍👧👨', ['👨‍👩‍👧', '👨']],
    ['joined emoji with variation selectors', '❤️‍🔥 🏳️‍🌈', ['❤\u200D🔥', '🏳\u200D🌈']],
    ['emoji without their skin tones', '👍🏽 👍 👩🏽‍🚀', ['👍', '👍', '👩\u200D🚀']],
    ['flags, one term for two letters', '🇩🇪🇫🇷 🇩', ['🇩🇪', '🇫🇷']],
    ['flags of regions', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴']],
    ['no emoji in digits, keycaps and trade marks', '1 * # 2️⃣ *️⃣ Loam® ©', ['1', '2', 'loam']],
    ['nothing for a lone joiner, selector or skin tone', '\u200D \uFE0F 🏽', []],
    ['no single characters of a longer run', '数据库', ['数据', '据库']],
    ['a character that stands alone', '买 🎉', ['买', '🎉']],
    ['nothing for stop words alone', 'The Who', []],
  ])('gives %s', (_, text, terms) => {
    expect(queryTerms(text)).toEqual(terms)
  })

  it('cuts an endless chain of joined emoji', () => {
    expect(queryTerms(`${'👩\u200D'.repeat(100_000)}👩 end`)).toEqual([
      Array.from({ length: 16 }, () => '👩').join('\u200D'),
      'end',
    ])
  })

  it('is analyze where there is no emoji', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const plain = text.replaceAll(/[\p{Extended_Pictographic}\p{Regional_Indicator}]/gu, ' ')
        expect(queryTerms(plain)).toEqual(analyze(plain))
      }),
    )
  })
})

describe('termFrequencies', () => {
  it('counts the terms of a text', () => {
    expect(termFrequencies('The dog saw dogs, and ran')).toEqual(
      new Map([
        ['dog', 2],
        ['saw', 1],
        ['ran', 1],
      ]),
    )
  })

  it.each([
    ['買', '昨日本を買った'],
    ['𠮷', '𠮷野家で食べた'],
    ['家', '𠮷野家'],
    ['집', '우리집에서'],
    ['ที่', 'ฉันอยู่ที่กรุงเทพ'],
    ['年', '2024年'],
    ['🎉', 'great🎉🎉'],
    ['❤', 'love ❤️'],
    ['👍', 'ok 👍🏽'],
    ['ΑΘΗΝΑ', 'Αθήνα'],
    ['Αθηνα', 'Αθήνα'],
    ['ΟΔΟΣ', 'οδός'],
  ])('holds what %j asks for in %j', (query, text) => {
    expect(queryTerms(query)).toHaveLength(1)
    expect([...termFrequencies(text).keys()]).toEqual(expect.arrayContaining(queryTerms(query)))
  })

  it('tells characters outside the basic plane apart', () => {
    expect(termFrequencies('𠮟る').has('𠮷')).toBe(false)
  })

  it('counts a character in pairs once for a text, and one that stands alone each time', () => {
    expect(termFrequencies('猫猫犬')).toEqual(
      new Map([
        ['猫猫', 1],
        ['猫犬', 1],
        ['猫', 1],
        ['犬', 1],
      ]),
    )
    expect(termFrequencies('猫, 猫').get('猫')).toBe(2)
    expect(termFrequencies('猫 猫犬 猫').get('猫')).toBe(2)
  })

  it('counts all terms of the query as often as they stand, and adds at most single characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const rest = termFrequencies(text)
        for (const [term, count] of countsOf(queryTerms(text))) {
          expect(rest.get(term)).toBe(count)
          rest.delete(term)
        }
        for (const [term, count] of rest) {
          expect(count).toBe(1)
          expect(term).toMatch(/^\P{M}\p{M}*$/u)
        }
      }),
    )
  })
})

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
