import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  analyze,
  bm25InverseDocumentFrequency,
  bm25TermScore,
  createBm25Index,
  tokenize,
} from '../src/index.js'

const skill = (name: string, description: string) => ({ id: name, text: `${name} ${description}` })

describe('createBm25Index', () => {
  it.each([
    [
      'web search',
      [
        skill('web-search', 'Search the web using DuckDuckGo'),
        skill('code-runner', 'Execute code in sandbox'),
        skill('memory-store', 'Store and recall memories'),
      ],
      'web-search',
      2.6197,
    ],
    [
      'search',
      [
        skill('general-tool', 'A general purpose tool for various tasks'),
        skill('search-engine', 'Search search engine for web search queries'),
        skill('code-runner', 'Run code in a container'),
      ],
      'search-engine',
      1.6114,
    ],
  ])('gives the golden score for %j', (query, documents, id, score) => {
    const hits = createBm25Index(documents).search(query, 5)
    expect(hits).toEqual([{ id, score: expect.closeTo(score, 4) }])
  })

  it.each([
    ['an empty index', [], 'word'],
    ['an empty query', [{ id: 'a', text: 'word' }], ''],
    [
      'a query of punctuation (graphiti #1144)',
      [{ id: 'a', text: 'word' }],
      '\\/+-&|!(){}[]^"~*?:',
    ],
    ['a word that no text has', [{ id: 'a', text: 'word' }], 'other'],
  ])('finds nothing with %s', (_, documents, query) => {
    expect(createBm25Index(documents).search(query, 5)).toEqual([])
  })

  it('counts a repeated query word twice', () => {
    const index = createBm25Index([{ id: 'a', text: 'red fox' }])
    expect(index.search('red red')[0]!.score).toBeCloseTo(2 * index.search('red')[0]!.score, 12)
  })

  it('orders equal scores by id', () => {
    const index = createBm25Index(['c', 'a', 'b'].map((id) => ({ id, text: 'same words' })))
    expect(index.search('same').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    [3, 3],
    [0, 5],
    [-1, 5],
    [undefined, 5],
    [Number.POSITIVE_INFINITY, 8],
  ])('takes a limit of %s as %i', (limit, count) => {
    const documents = Array.from({ length: 8 }, (_, at) => ({ id: `${at}`, text: 'word' }))
    expect(createBm25Index(documents).search('word', limit)).toHaveLength(count)
  })

  it('forgets the scores of the search before', () => {
    const index = createBm25Index([{ id: 'a', text: 'red fox' }])
    expect(index.search('red')).toEqual(index.search('red'))
  })

  it('finds words that are names of object members', () => {
    expect(
      createBm25Index([{ id: 'a', text: 'the constructor' }]).search('constructor'),
    ).toHaveLength(1)
  })

  it('takes another tokeniser', () => {
    const index = createBm25Index([{ id: 'a', text: 'she was running' }], { tokenize: analyze })
    expect(index.search('who runs?')).toHaveLength(1)
  })

  it('refuses two texts with one id', () => {
    const twins = [
      { id: 'a', text: 'x' },
      { id: 'a', text: 'y' },
    ]
    expect(() => createBm25Index(twins)).toThrow(InvalidInputError)
  })

  it.each([{ k1: -1 }, { k1: Number.NaN }, { b: 1.5 }, { b: Number.NaN }])(
    'refuses %o',
    (options) => {
      expect(() => createBm25Index([], options)).toThrow(InvalidInputError)
    },
  )

  it('agrees with a scan of all texts', () => {
    const word = fc.constantFrom('red', 'fox', 'blue', 'dog', 'sky')
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 10 }), text, (texts, query) => {
        const documents = texts.map((content, at) => ({ id: `${at}`, text: content }))
        const tokens = texts.map((content) => tokenize(content))
        const averageLength = tokens.reduce((sum, { length }) => sum + length, 0) / texts.length
        const scores = tokens.map((terms) =>
          tokenize(query).reduce((sum, term) => {
            const frequency = terms.filter((other) => other === term).length
            const holders = tokens.filter((others) => others.includes(term)).length
            const idf = bm25InverseDocumentFrequency(texts.length, holders)
            return sum + bm25TermScore({ frequency, length: terms.length, averageLength, idf })
          }, 0),
        )
        const hits = createBm25Index(documents).search(query, 100)
        expect(hits).toHaveLength(scores.filter((score) => score > 0).length)
        for (const { id, score } of hits) expect(score).toBeCloseTo(scores[Number(id)]!, 10)
      }),
    )
  })
})
