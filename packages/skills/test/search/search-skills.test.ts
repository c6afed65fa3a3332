import { ModelError, generateId, type EmbeddingModel } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createSkillEmbeddings,
  createSkillIndex,
  noVectorStore,
  searchSkills,
  type KeptVector,
  type SkillSummary,
} from '../../src/index.js'

const skill = (slug: string, description: string, name = slug): SkillSummary => ({
  slug,
  name,
  description,
})
const scope = { tenantId: generateId(), agentId: generateId(), userId: '' }
const context = { scope, task: 'test' }

/** A model whose vectors count three words. */
function countingModel(words: readonly string[], calls: string[][] = []): EmbeddingModel {
  return {
    provider: 'test',
    model: 'counting',
    dimensions: words.length,
    trust: { vectorWeight: 0.7, minSimilarity: 0.1 },
    remote: false,
    embed: async (texts) => {
      calls.push([...texts])
      return texts.map((text) => words.map((word) => text.toLowerCase().split(word).length - 1))
    },
  }
}

describe('the golden values of the specification', () => {
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
  ])('%j', async (query, skills, slug, score) => {
    const { hits, mode } = await searchSkills({ skills, query })
    expect(mode).toBe('bm25')
    expect(hits).toEqual([
      { skill: expect.objectContaining({ slug }), score: expect.closeTo(score, 4) },
    ])
  })
})

describe('searchSkills', () => {
  const skills = [
    skill('coffee', 'brews coffee'),
    skill('tea', 'brews tea'),
    skill('bread', 'bakes bread'),
  ]

  it('gives five, and as many as are asked for', async () => {
    const many = Array.from({ length: 9 }, (_, index) => skill(`s${index}`, 'same words'))
    const found = async (limit?: number) =>
      (await searchSkills({ skills: many, query: 'same', limit })).hits.map((hit) => hit.skill.slug)
    expect(await found()).toEqual(['s0', 's1', 's2', 's3', 's4'])
    expect(await found(0)).toHaveLength(5)
    expect(await found(-1)).toHaveLength(5)
    expect(await found(7)).toHaveLength(7)
  })

  it.each(['', '  ', '!?'])('finds nothing for %j', async (query) => {
    expect((await searchSkills({ skills, query })).hits).toEqual([])
    expect((await searchSkills({ skills: [], query: 'tea' })).hits).toEqual([])
  })

  it('finds words of scripts without blanks', async () => {
    const chinese = [skill('wang-ye', '搜索网页'), skill('tian-qi', '查询天气')]
    const { hits } = await searchSkills({ skills: chinese, query: '网页' })
    expect(hits.map((hit) => hit.skill.slug)).toEqual(['wang-ye'])
  })

  it('merges words and meaning by slug, 0.3 to 0.7', async () => {
    const embeddings = createSkillEmbeddings(
      countingModel(['tea', 'coffee', 'bread']),
      noVectorStore,
    )
    const { hits, mode } = await searchSkills(
      { skills, query: 'brews tea' },
      { semantic: { embeddings, context } },
    )
    expect(mode).toBe('hybrid')
    expect(hits.map((hit) => hit.skill.slug)).toEqual(['tea', 'coffee'])
    expect(hits[0]?.score).toBeCloseTo(1, 6)
    // Words alone: its share of the best word score, times 0.3.
    const [best, second] = createSkillIndex(skills).search('brews tea')
    expect(hits[1]?.score).toBeCloseTo((0.3 * (second?.score ?? 0)) / (best?.score ?? 1), 6)
  })

  it('counts one channel in full where the other finds nothing', async () => {
    const embeddings = createSkillEmbeddings(countingModel(['tea', 'xyz', 'bread']), noVectorStore)
    const search = async (query: string) =>
      (await searchSkills({ skills, query }, { semantic: { embeddings, context } })).hits
    expect((await search('brews coffee'))[0]).toMatchObject({ skill: { slug: 'coffee' }, score: 1 })
    const [meant] = await search('TEAPOT')
    expect(meant).toMatchObject({ skill: { slug: 'tea' }, score: 1 })
  })

  it('embeds again what changed, and nothing else', async () => {
    const calls: string[][] = []
    const kept = new Map<string, KeptVector>()
    const store = {
      read: async (hashes: readonly string[]) =>
        hashes.map((hash) => kept.get(hash)).filter((vector) => vector !== undefined),
      put: async (vectors: readonly KeptVector[]) => {
        for (const vector of vectors) kept.set(vector.textHash, vector)
      },
    }
    const model = countingModel(['tea', 'coffee', 'bread'], calls)
    await createSkillEmbeddings(model, store).embedMissing(skills, context)
    expect(calls).toEqual([['coffee: brews coffee', 'tea: brews tea', 'bread: bakes bread']])
    const again = createSkillEmbeddings(model, store)
    const changed = [
      ...skills.slice(1),
      skill('coffee', 'grinds coffee'),
      skill('copy', 'brews tea', 'tea'),
    ]
    expect(await again.embedMissing(changed, context)).toBe(1)
    expect(calls[1]).toEqual(['coffee: grinds coffee'])
  })

  it('searches words when the model fails, and says so', async () => {
    const model: EmbeddingModel = {
      ...countingModel(['a']),
      embed: async () => {
        throw new ModelError({ message: 'down', retryable: true })
      },
    }
    const embeddings = createSkillEmbeddings(model, noVectorStore)
    const found = await searchSkills(
      { skills, query: 'tea' },
      { semantic: { embeddings, context } },
    )
    expect(found.hits.map((hit) => hit.skill.slug)).toEqual(['tea'])
    expect(found).toMatchObject({
      mode: 'bm25',
      warnings: [expect.stringContaining('model_failed')],
    })
  })

  it('does not wait for the vectors of thousands of skills', async () => {
    const calls: string[][] = []
    const many = Array.from({ length: 200 }, (_, index) =>
      skill(`s${index}`, `tea number ${index}`),
    )
    const embeddings = createSkillEmbeddings(countingModel(['tea'], calls), noVectorStore)
    const found = await searchSkills(
      { skills: many, query: 'tea' },
      { semantic: { embeddings, context } },
    )
    expect(calls).toEqual([['tea']])
    expect(found.hits).toHaveLength(5)
    expect(found.warnings).toEqual(['200 skills are not searched by meaning yet.'])
  })

  it('only ever finds what it was given', async () => {
    const word = fc.constantFrom('tea', 'coffee', 'bread', 'pot', '茶水')
    const given = fc.array(fc.array(word, { maxLength: 4 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        given,
        fc.array(word, { maxLength: 3 }),
        fc.integer({ min: 1, max: 8 }),
        async (descriptions, query, limit) => {
          const some = descriptions.map((words, index) => skill(`s${index}`, words.join(' ')))
          const embeddings = createSkillEmbeddings(countingModel(['tea', 'pot']), noVectorStore)
          const { hits } = await searchSkills(
            { skills: some, query: query.join(' '), limit },
            { semantic: { embeddings, context } },
          )
          expect(hits.length).toBeLessThanOrEqual(limit)
          expect(new Set(hits.map((hit) => hit.skill)).size).toBe(hits.length)
          for (const { skill: found, score } of hits) {
            expect(some).toContain(found)
            expect(score).toBeGreaterThan(0)
          }
        },
      ),
    )
  })
})
