import { describe, expect, it } from 'vitest'
import type { ChunkKey, ChunkSource, LexicalMatch, LexicalMatches } from '@loam/storage'
import { collectCandidates, unitKey } from '../src/ranking/candidates.js'
import { lexicalScores } from '../src/ranking/lexical-signal.js'
import { neighbourScore, placesBeside } from '../src/ranking/neighbour-signal.js'
import { personalFactor } from '../src/ranking/personal-signal.js'
import { rankUnits } from '../src/ranking/rank.js'
import { scaleToBest } from '../src/ranking/scale.js'
import { sessionScores } from '../src/ranking/session-signal.js'
import { namedSpeaker } from '../src/ranking/speaker-signal.js'
import { vectorScores } from '../src/ranking/vector-signal.js'
import { DEFAULT_RANKING_WEIGHTS } from '../src/ranking/weights.js'

const chunk = (id: string, more: Partial<ChunkKey> = {}): ChunkKey => ({
  chunkId: id,
  source: 'messages',
  groupId: 's',
  position: 1,
  part: 0,
  userId: 'alice',
  path: undefined,
  startLine: undefined,
  speaker: undefined,
  occurredAt: new Date(0),
  ...more,
})

const match = (
  id: string,
  terms: Record<string, number>,
  more: Partial<LexicalMatch> = {},
): LexicalMatch => ({
  ...chunk(id, more),
  length: 10,
  frequencies: new Map(Object.entries(terms)),
  ...more,
})

function lexical(matches: readonly LexicalMatch[], chunkCount = 100): LexicalMatches {
  const documentFrequencies = new Map<string, number>()
  for (const { frequencies } of matches) {
    for (const term of frequencies.keys()) {
      documentFrequencies.set(term, (documentFrequencies.get(term) ?? 0) + 1)
    }
  }
  const groups = new Set(matches.map(({ groupId }) => groupId))
  return {
    matches,
    statistics: {
      chunkCount,
      totalLength: chunkCount * 10,
      documentFrequencies,
      sessionCount: 10,
      sessionTotalLength: chunkCount * 10,
    },
    sessionLengths: new Map([...groups].map((groupId) => [groupId, 100])),
  }
}

const rank = (matches: readonly LexicalMatch[], query = '', beside: readonly ChunkKey[] = []) => {
  const found = lexical(matches)
  const { units } = collectCandidates(found, [], { vectorWeight: 0.3, minSimilarity: 0 })
  const weights = DEFAULT_RANKING_WEIGHTS
  return rankUnits({ query, units, beside, lexical: found, weights, minScore: 0, limit: 50 })
}

describe('lexicalScores', () => {
  it('is BM25', () => {
    const scores = lexicalScores(lexical([match('a', { tea: 1 }), match('b', { tea: 2, cup: 1 })]))
    const [common, rare] = [Math.log(98.5 / 2.5 + 1), Math.log(99.5 / 1.5 + 1)]
    expect(scores.get('a')).toBeCloseTo(common)
    expect(scores.get('b')).toBeCloseTo((common * 2 * 2.2) / 3.2 + rare)
  })
})

describe('vectorScores', () => {
  it('drops what is below the floor', () => {
    const matches = [0.9, 0.3, 0.29, -1].map((similarity, index) => ({
      ...chunk(`${index}`),
      similarity,
    }))
    expect([...vectorScores(matches, 0.3).keys()]).toEqual(['0', '1'])
    expect([...vectorScores(matches, -1).keys()]).toEqual(['0', '1', '2'])
  })
})

describe('scaleToBest', () => {
  it('makes the best 1 and drops what is nothing', () => {
    const scores = new Map([
      ['a', 4],
      ['b', 1],
      ['c', 0],
    ])
    expect(scaleToBest(scores)).toEqual(
      new Map([
        ['a', 1],
        ['b', 0.25],
      ]),
    )
    expect(scaleToBest(new Map())).toEqual(new Map())
  })
})

const near = (id: string, similarity: number) => ({ ...chunk(id), similarity })

describe('collectCandidates', () => {
  const options = { vectorWeight: 0.3, minSimilarity: 0.2 }

  it('gives the whole weight to the channel that found something', () => {
    const words = lexical([match('a', { tea: 1 })])
    expect(collectCandidates(words, [near('a', 0.1)], options).weights).toEqual({
      lexical: 1,
      vector: 0,
    })
    expect(collectCandidates(lexical([]), [near('a', 0.5)], options).weights).toEqual({
      lexical: 0,
      vector: 1,
    })
    expect(collectCandidates(words, [near('a', 0.5)], options).weights).toEqual({
      lexical: 0.7,
      vector: 0.3,
    })
  })

  it('joins the parts of a message, and lets the best answer for it', () => {
    const words = lexical([
      match('p0', { tea: 1 }, { part: 0 }),
      match('p1', { tea: 3, cup: 1 }, { part: 1 }),
      match('p2', { tea: 1 }, { part: 2 }),
    ])
    const { units } = collectCandidates(words, [near('p0', 0.5)], options)
    const unit = units.get(unitKey('s', 1))
    expect(units.size).toBe(1)
    expect(unit).toMatchObject({
      lexical: 0.7,
      vector: 0.3,
      similarity: 0.5,
      chunk: { chunkId: 'p1' },
    })
    expect(unit?.matchedTerms).toEqual(['tea', 'cup'])
  })
})

describe('neighbourScore', () => {
  const shares = { turnBefore: 0.4, turnAfter: 0.2, furtherTurn: 0.5 }
  const scores = new Map([
    [
      's',
      new Map([
        [5, 1],
        [6, 0.5],
      ]),
    ],
  ])

  it.each([
    [2, 0],
    [3, 0.1],
    [4, 0.2 + 0.05],
    [5, 0.1],
    [6, 0.4],
    [7, 0.2 + 0.2],
    [8, 0.1],
  ])('lends to turn %i what its neighbours have', (position, lent) => {
    expect(neighbourScore({ groupId: 's', position }, scores, shares)).toBeCloseTo(lent)
    expect(neighbourScore({ groupId: 'other', position }, scores, shares)).toBe(0)
  })
})

describe('placesBeside', () => {
  it('names each place once, none twice, and none before the first', () => {
    const places = [
      { groupId: 's', position: 1 },
      { groupId: 's', position: 3 },
      { groupId: 't', position: 9 },
    ]
    expect(placesBeside(places).map(({ groupId, position }) => groupId + position)).toEqual([
      's2',
      's4',
      's5',
      't7',
      't8',
      't10',
      't11',
    ])
  })
})

describe('sessionScores', () => {
  it('weighs a session by all its matching turns, and leaves documents out', () => {
    const scores = sessionScores(
      lexical([
        match('a', { tea: 1 }, { groupId: 's1' }),
        match('b', { cup: 1 }, { groupId: 's1', position: 2 }),
        match('c', { tea: 1 }, { groupId: 's2' }),
        match('d', { tea: 9 }, { groupId: 'd1', source: 'documents' }),
      ]),
    )
    expect([...scores.keys()]).toEqual(['s1', 's2'])
    expect(scores.get('s1')).toBeGreaterThan(scores.get('s2') ?? 0)
  })
})

describe('namedSpeaker', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['What did Caroline paint?', ['Caroline', 'Melanie'], 'Caroline'],
    ["Where is caroline's house?", ['Caroline', 'Melanie'], 'Caroline'],
    ['When did Caroline meet Melanie?', ['Caroline', 'Melanie'], undefined],
    ['Who painted it?', ['Caroline', 'Melanie'], undefined],
    ['What did Smith say?', ['Caroline Smith', 'Melanie'], 'Caroline Smith'],
    ['Carolines wish', ['Caroline'], undefined],
    ['What do you think?', ['You'], undefined],
    ['王小明喜欢什么？', ['王小明', '李雷'], '王小明'],
    ['Что сказал Иван?', ['Иван', 'Анна'], 'Иван'],
    ['What about (.*)?', ['(.*)', '???', ''], undefined],
    ['anything', [], undefined],
  ])('reads %j', (query, speakers, named) => {
    expect(namedSpeaker(query, speakers)).toBe(named)
  })
})

describe('personalFactor', () => {
  it.each<[ChunkSource, string, number]>([
    ['documents', 'alice', 1],
    ['documents', '', 1 / 1.2],
    ['messages', '', 1],
    ['episodes', 'alice', 1],
  ])('holds back %s of %j by %d', (source, userId, factor) => {
    expect(personalFactor(chunk('a', { source, userId }), 1.2)).toBe(factor)
  })
})

describe('rankUnits', () => {
  it('adds what the speaker and the session say', () => {
    const ranked = rank(
      [
        match('a', { tea: 1 }, { speaker: 'Ann' }),
        match('b', { tea: 1 }, { speaker: 'Ben', position: 10 }),
        match('c', { tea: 1 }, { speaker: 'Ben', groupId: 't' }),
      ],
      'Which tea does Ben like?',
    )
    expect(ranked.map(({ unit }) => unit.chunk.chunkId)).toEqual(['b', 'c', 'a'])
    expect(ranked[0]).toMatchObject({ score: 1 })
    expect(ranked[2]).toMatchObject({ parts: { speaker: 0 } })
  })

  it('keeps the best message level with its own score among other sources', () => {
    const ranked = rank([
      match('m', { tea: 1 }),
      match('n', { tea: 1 }, { position: 2 }),
      match('d', { tea: 1 }, { source: 'documents', groupId: 'd', path: 'MEMORY.md' }),
    ])
    const best = ranked.filter(({ score }) => score === 1).map(({ unit }) => unit.chunk.source)
    expect(new Set(best)).toEqual(new Set(['documents', 'messages']))
  })

  it('ranks the places beside by one part of each', () => {
    const beside = [chunk('p1', { position: 2, part: 1 }), chunk('p0', { position: 2, part: 0 })]
    const ranked = rank([match('a', { tea: 1 })], '', beside)
    expect(ranked.map(({ unit }) => unit.chunk.chunkId)).toEqual(['a', 'p0'])
  })

  it('orders ties by path, line and newness', () => {
    const document = (id: string, path: string, startLine: number) =>
      match(id, { tea: 1 }, { source: 'documents', groupId: id, path, startLine })
    const ranked = rank([
      document('c', 'memory/b.md', 1),
      document('b', 'memory/a.md', 9),
      document('a', 'memory/a.md', 2),
    ])
    expect(ranked.map(({ unit }) => unit.chunk.chunkId)).toEqual(['a', 'b', 'c'])
    const turns = rank([
      match('old', { tea: 1 }, { groupId: 's1', occurredAt: new Date(1) }),
      match('new', { tea: 1 }, { groupId: 's2', occurredAt: new Date(2) }),
    ])
    expect(turns.map(({ unit }) => unit.chunk.chunkId)).toEqual(['new', 'old'])
  })

  it('ranks nothing when nothing was found', () => {
    expect(rank([])).toEqual([])
  })
})
