import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLocalEmbeddings } from '../src/index.js'
import { context } from './call-context.js'

const model = createLocalEmbeddings()

async function embed(text: string): Promise<readonly number[]> {
  const [vector] = await model.embed([text], context)
  return vector!
}

async function similarity(a: string, b: string): Promise<number> {
  const [first, second] = [await embed(a), await embed(b)]
  return first.reduce((sum, value, k) => sum + value * second[k]!, 0)
}

describe('createLocalEmbeddings', () => {
  it('declares a local English model', () => {
    expect(model).toMatchObject({
      provider: 'loam-local',
      model: 'glove-100d-40k-v1',
      dimensions: 128,
      languages: ['en'],
      remote: false,
      trust: { vectorWeight: 0.3, minSimilarity: 0.15 },
    })
  })

  it('takes another trust', () => {
    const trust = { vectorWeight: 0.5, minSimilarity: 0 }
    expect(createLocalEmbeddings({ trust }).trust).toEqual(trust)
  })

  it.each([
    ['dog', 'puppy', 'economics'],
    ['doctor', 'nurse', 'banana'],
    ['She adopted a kitten', 'Her new cat is small', 'The stock market fell today'],
    ['When did we go to the beach?', 'we swam in the ocean', 'the printer is out of paper'],
    ["Anna's violin concert", 'music with an orchestra', 'a flat tyre on the car'],
    // Rare names and codes are not in the vocabulary.
    ['order XK4471B', 'where is XK4471B', 'where is PL9920Z'],
    ['Kowalczykowna', 'Kowalczykowna called', 'Vandersteen called'],
    ['café', 'cafe', 'guitar'],
  ])('finds %j nearer to %j than to %j', async (text, near, far) => {
    expect(await similarity(text, near)).toBeGreaterThan((await similarity(text, far)) + 0.1)
  })

  it('judges by the topic where two texts name the same person', async () => {
    const question = 'When did Caroline go hiking in the mountains?'
    const topic = await similarity(question, 'We climbed the trail up to the summit')
    const name = await similarity(question, 'Caroline bought a new keyboard')
    expect(topic).toBeGreaterThan(name)
  })

  it.each(['', ' \n', '!?', '🎉', 'the and of', '\uD800'])(
    'gives zeros for %j, which says nothing',
    async (text) => {
      expect(await embed(text)).toEqual(Array(128).fill(0))
    },
  )

  it('gives the vectors in the order of the texts, and none for none', async () => {
    const [dog, empty, cat] = await model.embed(['dog', '', 'cat'], context)
    expect(dog).toEqual(await embed('dog'))
    expect(empty).toEqual(await embed(''))
    expect(cat).toEqual(await embed('cat'))
    expect(await model.embed([], context)).toEqual([])
  })

  it('gives the vectors that are stored under this version of the model', async () => {
    // If this fails, stored vectors no longer match: raise the version in the name of the model.
    const vector = await embed("Melanie's pottery class starts on 12 May, room XK4471B.")
    const sample = [0, 1, 50, 99, 100, 127].map((k) => Number(vector[k]!.toFixed(5)))
    expect(sample).toMatchInlineSnapshot(`
      [
        0.05297,
        0.18542,
        0.02927,
        -0.02906,
        -0.06662,
        0.09974,
      ]
    `)
  })

  it('gives a finite vector of length 1 or 0 for any text, always the same', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.lorem({ mode: 'sentences', maxCount: 3 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
        .map((units) => String.fromCharCode(...units)),
    )
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const vector = await embed(written)
        const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
        expect(vector).toHaveLength(128)
        expect(vector.every(Number.isFinite)).toBe(true)
        expect([0, 1]).toContain(Math.round(length * 1e9) / 1e9)
        expect(await embed(written)).toEqual(vector)
      }),
    )
  })

  it('does not choke on a megabyte without a blank', async () => {
    expect(await embed(`${'a'.repeat(1_000_000)} ${"x'".repeat(500_000)}`)).toHaveLength(128)
  })

  it('stops with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(model.embed(['dog'], { ...context, signal })).rejects.toThrow('enough')
  })
})
