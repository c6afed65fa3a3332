import { InvalidInputError, type Scope } from '@loam/core'
import { createLocalEmbeddings } from '@loam/models'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Memory, SearchRequest } from '../src/memory.js'
import { useStorage } from './memory-fixture.js'

const { newScope, newMemory } = useStorage()

const texts = async (memory: Memory, scope: Scope, request: SearchRequest) => {
  const { results } = await memory.search(scope, request)
  return results.map(({ text }) => text)
}

describe('search', () => {
  it('finds by meaning what shares no word with the query', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'The hound sleeps.' })
    const { results } = await memory.search(scope, { query: 'puppy', explain: true })
    expect(results[0]).toMatchObject({
      text: 'The hound sleeps.',
      score: 1,
      explanation: { lexical: 0, similarity: 1, matchedTerms: [] },
    })
  })

  it('needs only one word of a long question', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'Billing moved to Stripe.' })
    const query =
      'When exactly did our whole team decide whether invoices would be handled by stripe?'
    expect(await texts(memory, scope, { query })).toEqual(['Billing moved to Stripe.'])
  })

  it.each([
    ['買', '昨日本を買った'],
    ['𠮷', '𠮷野家で食べた'],
    ['🍕', 'Dinner was great 🍕🍕'],
    ['ΑΘΗΝΑ', 'Φύγαμε για την Αθήνα'],
  ])('finds %j in a document, and not in others', async (query, content) => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content })
    await memory.putDocument(scope, { path: 'memory/other.md', content: '昨日本を見た 🎉 𠮟る' })
    expect(await texts(memory, scope, { query })).toEqual([content])
  })

  it('finds nothing for nonsense', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'Tea for the doctor.' })
    expect(await memory.search(scope, { query: 'qwrtz plmkn' })).toEqual({ results: [], count: 0 })
    expect(await memory.search(scope, { query: ' \t?!' })).toEqual({ results: [], count: 0 })
    expect(await memory.search(scope, { query: '' })).toEqual({ results: [], count: 0 })
  })

  it('says so when only words could be searched', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'The hound sleeps.' })
    embeddings.failing = true
    const { results, degraded } = await memory.search(scope, { query: 'a hound' })
    expect(results).toHaveLength(1)
    expect(degraded).toMatch(/concepts did not answer \(model_failed\); only words were searched/)
    embeddings.failing = false
    embeddings.actualDimensions = 3
    const mismatched = await memory.search(scope, { query: 'a hound' })
    expect(mismatched).toMatchObject({ count: 1 })
    expect(mismatched.degraded).toMatch(/vector_dimension_mismatch/)
  })

  it('passes an abort on', async () => {
    const { memory } = newMemory()
    const signal = AbortSignal.abort(new Error('cancelled'))
    const search = memory.search(await newScope(), { query: 'tea' }, { signal })
    await expect(search).rejects.toThrow('cancelled')
  })

  it('reads the beginning of a huge query, and says so', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'The anchor holds.' })
    const query = `anchor ${'w'.repeat(10_000_000)}`
    const found = await memory.search(scope, { query })
    expect(found).toMatchObject({ count: 1 })
    expect(found.degraded).toBe('Only the first 2000 characters of the query were read.')
  })

  it('explains terms, weights, candidates and parts that add up to the score', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.storeMessages(scope, { key: 's' }, [
      { role: 'user', name: 'Ann', content: 'My dog is ill.' },
      { role: 'user', name: 'Ben', content: 'Oh no!' },
      { role: 'user', name: 'Ann', content: 'The physician saw him.' },
    ])
    const request = { query: 'Which dog of Ann saw a doctor?', explain: true }
    const { results, explanation } = await memory.search(scope, request)
    expect(explanation).toMatchObject({
      terms: ['dog', 'ann', 'saw', 'doctor'],
      weights: { lexical: 0.5, vector: 0.5 },
      candidates: { lexical: 2, vector: 2 },
    })
    const totals = results.map(({ explanation: parts }) => {
      if (parts === undefined) return 0
      return parts.lexical + parts.vector + parts.neighbours + parts.session + parts.speaker
    })
    for (const [index, total] of totals.entries()) {
      expect(results[index]?.score).toBeCloseTo(total / (totals[0] ?? 0))
    }
    expect(results.find(({ sequence }) => sequence === 2)?.explanation).toMatchObject({
      lexical: 0,
      vector: 0,
      speaker: 0,
      matchedTerms: [],
    })
  })

  it('keeps scores between 0 and 1, the best of them 1, and leaves out what is below the least score', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    for (const [index, content] of ['tea tea', 'tea and more words', 'the tea dog car'].entries()) {
      await memory.putDocument(scope, { path: `memory/${index}.md`, content })
    }
    const { results } = await memory.search(scope, { query: 'tea' })
    expect(results).toHaveLength(3)
    expect(results[0]?.score).toBe(1)
    const second = results[1]?.score ?? 0
    expect(second).toBeLessThan(1)
    const strict = await memory.search(scope, { query: 'tea', minScore: second })
    expect(strict.results.map(({ id }) => id)).toEqual(results.slice(0, 2).map(({ id }) => id))
  })

  it('restricts documents to a path prefix before it counts results', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    for (let index = 0; index < 10; index += 1) {
      await memory.putDocument(scope, { path: `memory/a/${index}.md`, content: 'tea' })
    }
    await memory.putDocument(scope, { path: 'memory/b/x.md', content: 'tea with much other text' })
    const request = { query: 'tea', maxResults: 1, pathPrefix: 'memory/b/' }
    expect(await texts(memory, scope, request)).toEqual(['tea with much other text'])
  })

  it('searches the sources that are named, and none when none is named', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'kettle noted' })
    await memory.storeMessages(scope, { key: 's' }, [{ role: 'user', content: 'kettle said' }])
    const search = (sources?: SearchRequest['sources']) =>
      texts(memory, scope, { query: 'kettle', sources })
    expect(await search(['documents'])).toEqual(['kettle noted'])
    expect(await search(['messages'])).toEqual(['user: kettle said'])
    expect(await search([])).toEqual([])
    expect(await search()).toHaveLength(2)
  })

  it('lends a turn that matches nothing the score of the turn beside it', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const batch = ['Hello', 'What is the best harbour?', 'Lisbon, I think.', 'Fine', 'Bye', 'Later']
    const messages = batch.map((content) => ({ role: 'user' as const, content }))
    await memory.storeMessages(scope, { key: 's' }, messages)
    const { results } = await memory.search(scope, { query: 'harbour', maxResults: 50 })
    expect(results.map(({ sequence }) => sequence)).toEqual([2, 3, 1, 4])
  })

  it('finds what was said yesterday, in the zone of the asker', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const said = { first: '2026-11-28T12:00:00Z', second: '2026-11-29T12:00:00Z' }
    for (const [content, createdAt] of Object.entries(said)) {
      const message = { role: 'user', content, createdAt: new Date(createdAt) } as const
      await memory.storeMessages(scope, { key: content }, [message])
    }
    const ask = async (now: string, timezone?: string) => {
      const request = { query: 'What did we say yesterday?', now: new Date(now), timezone }
      const { results } = await memory.search(scope, request)
      return results[0]?.text
    }
    expect(await ask('2026-11-30T08:00:00Z')).toBe('user: second')
    expect(await ask('2026-11-30T08:00:00Z', 'Pacific/Honolulu')).toBe('user: first')
  })

  it('answers twice in the same order', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    for (let index = 0; index < 8; index += 1) {
      await memory.putDocument(scope, { path: `memory/${index}.md`, content: 'the same tea' })
    }
    const { results } = await memory.search(scope, { query: 'tea', maxResults: 8 })
    expect(results.map(({ path }) => path)).toEqual(
      Array.from({ length: 8 }, (_, index) => `memory/${index}.md`),
    )
  })

  it('lets neither source drown the other', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const filler = Array.from({ length: 8 }, (_, index) => ({
      role: 'user' as const,
      name: 'Ann',
      content: `The harbour trip, part ${index}`,
    }))
    await memory.storeMessages(scope, { key: 's' }, filler)
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'Harbour rules: Ann pays.' })
    const { results } = await memory.search(scope, { query: 'Ann harbour rules', maxResults: 3 })
    expect(results[0]).toMatchObject({ source: 'documents' })
    expect(results[1]).toMatchObject({ source: 'messages' })
  })

  it.each<[string, SearchRequest]>([
    ['query', { query: 5 as unknown as string }],
    ['maxResults', { query: 'x', maxResults: 0 }],
    ['maxResults', { query: 'x', maxResults: 51 }],
    ['maxResults', { query: 'x', maxResults: 1.5 }],
    ['minScore', { query: 'x', minScore: 2 }],
    ['minScore', { query: 'x', minScore: Number.NaN }],
    ['sources', { query: 'x', sources: ['secrets' as 'documents'] }],
    ['pathPrefix', { query: 'x', pathPrefix: 'a\0' }],
    ['now', { query: 'x', now: new Date('no') }],
    ['timezone', { query: 'x', timezone: 'Mars/Base' }],
  ])('refuses a wrong %s', async (path, request) => {
    const { memory } = newMemory()
    const search = memory.search(await newScope(), request)
    await expect(search).rejects.toThrow(InvalidInputError)
    await expect(search).rejects.toMatchObject({ issues: [{ path }] })
  })

  it('never fails on punctuation', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, {
      path: 'MEMORY.md',
      content: 'a:b & c | !d (e) "f" \\g /h %i _j',
    })
    const piece = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        '/',
        '%',
        '_',
        ':*',
        '&',
        '|',
        '!',
        '(',
        ')',
        '<->',
        '--',
        ';',
        '\0',
        '\ud800',
        '$1',
      ),
      fc.constantFrom('0193a5b0-7000-7000-8000-000000000001', 'NOT', 'OR', "to_tsquery('x')", 'f'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { count, results } = await memory.search(scope, { query: pieces.join(' ') })
        expect(count).toBe(results.length)
      }),
      { numRuns: 60 },
    )
  })
})

describe('search by script', () => {
  const { memory, scope } = { memory: () => shared.memory, scope: () => shared.scope }
  const shared = {} as { memory: Memory; scope: Scope }

  const notes: Readonly<Record<string, string>> = {
    chinese: '我们昨天在上海的咖啡馆讨论了新的合同条款。',
    japanese: '来週の火曜日に東京で会議があります。',
    thai: 'พรุ่งนี้ฉันจะไปซื้อมะม่วงที่ตลาด',
    korean: '어제 부산에서 친구와 저녁을 먹었습니다.',
    arabic: 'سافرت إلى القاهرة في الصيف الماضي.',
    hindi: 'मुझे सुबह गरम चाय पसंद है।',
    russian: 'Вчера мы купили новый холодильник.',
    german: 'Die Rückerstattung für den Kühlschrank läuft über Müller.',
    english: 'The lighthouse keeper retired in spring.',
  }

  beforeAll(async () => {
    const { memory: made } = newMemory({ embeddings: createLocalEmbeddings() })
    shared.memory = made
    shared.scope = await newScope()
    for (const [name, content] of Object.entries(notes)) {
      await made.putDocument(shared.scope, { path: `memory/${name}.md`, content })
    }
  })

  it.each([
    ['chinese', '合同条款在哪里讨论的？'],
    ['japanese', '東京の会議はいつですか'],
    ['thai', 'มะม่วงซื้อที่ไหน'],
    ['korean', '부산에서 누구와'],
    ['arabic', 'متى سافرت إلى القاهرة'],
    ['hindi', 'क्या चाय पसंद है'],
    ['russian', 'новый ХОЛОДИЛЬНИК'],
    ['german', 'ruckerstattung kuhlschrank muller'],
    ['english', 'Who kept the lighthouses?'],
  ])('finds %s', async (name, query) => {
    const { results } = await memory().search(scope(), { query })
    expect(results[0]?.path).toBe(`memory/${name}.md`)
  })
})
