import { ModelError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createEmbeddingBatches,
  type EmbeddingBatches,
  type TextSetback,
} from '../src/embedding-batches.js'

/** A refusal as `toModelError` makes it. */
function refusal(providerMessage: string, status = 400, reason?: 'too_large'): ModelError {
  return new ModelError({
    message: `status ${status}: ${providerMessage}`,
    retryable: false,
    reason: reason ?? (status === 413 ? 'too_large' : 'refused'),
    details: { status, providerMessage },
  })
}

const tooLong = () => refusal("This model's maximum context length is 8 tokens.", 400, 'too_large')
const vectorOf = (text: string) => [text.length]

/** An endpoint that refuses what `check` throws for, and how it was asked. */
function endpointThat(check: (texts: readonly string[]) => void) {
  const sizes: number[] = []
  const setbacks: TextSetback[] = []
  const asked: string[][] = []
  return {
    sizes,
    setbacks,
    asked,
    embed: (batches: EmbeddingBatches, texts: readonly string[]) =>
      batches.embed(texts, {
        ask: async (batch) => {
          sizes.push(batch.length)
          asked.push([...batch])
          check(batch)
          return batch.map(vectorOf)
        },
        onSetback: (setback) => setbacks.push(setback),
      }),
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`)

describe('a batch that is refused', () => {
  it.each([
    ['batch size is invalid, it should not be larger than 10.', 400, 10],
    ['Too many inputs. The max number of inputs is 16.', 400, 16],
    ['batch size 64 > maximum allowed batch size 20', 413, 20],
    ["'$.input' is invalid: array too long. Expected max length 16", 400, 16],
    ['at most 5 items can be in one call', 422, 5],
    ['', 413, 7],
  ])('for its size (%j, status %i) is halved, and the size is remembered', async (...input) => {
    const [message, status, most] = input
    const { embed, sizes } = endpointThat(({ length }) => {
      if (length > most) throw refusal(message, status)
    })
    const batches = createEmbeddingBatches(64)
    const texts = numbered(64)
    expect(await embed(batches, texts)).toEqual(texts.map(vectorOf))
    const refused = sizes.filter((size) => size > most)
    expect(refused.length).toBeLessThanOrEqual(4)
    sizes.length = 0
    expect(await embed(batches, texts)).toEqual(texts.map(vectorOf))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
    expect(Math.max(...sizes)).toBeGreaterThan(most / 2)
  })

  it('for one of its texts gives the others their vectors, and remembers no size', async () => {
    const { embed, sizes, setbacks } = endpointThat((texts) => {
      if (texts.includes('text 5')) throw refusal('The content is not allowed.')
    })
    const batches = createEmbeddingBatches(64)
    const texts = numbered(64)
    const vectors = await embed(batches, texts)
    expect(vectors).toEqual(texts.map((text, index) => (index === 5 ? undefined : vectorOf(text))))
    expect(setbacks).toMatchObject([{ outcome: 'refused', length: 6 }])
    // Halved six times down to the one, each time with a good half beside it.
    expect(sizes.length).toBeLessThanOrEqual(14)
    sizes.length = 0
    await embed(batches, numbered(4))
    expect(sizes[0]).toBe(4)
  })

  it('is not halved for a failure that is no refusal', async () => {
    const busy = new ModelError({ message: 'Overloaded.', retryable: true })
    const { embed, sizes } = endpointThat(() => {
      throw busy
    })
    await expect(embed(createEmbeddingBatches(64), numbered(64))).rejects.toBe(busy)
    expect(sizes).toEqual([64])
  })
})

describe('an endpoint that refuses everything', () => {
  it.each([1, 2, 64, 200])('is found out in few requests for %i texts', async (count) => {
    const { embed, sizes, asked, setbacks } = endpointThat(() => {
      throw refusal('Invalid inputs')
    })
    const batches = createEmbeddingBatches(64)
    await expect(embed(batches, numbered(count))).rejects.toThrow('Invalid inputs')
    expect(asked.at(-1)).toEqual(['Hello'])
    expect(sizes.length).toBeLessThanOrEqual(8)
    expect(setbacks).toEqual([])
    // And it has taught nothing about sizes.
    sizes.length = 0
    await expect(embed(batches, numbered(count))).rejects.toThrow(ModelError)
    expect(sizes[0]).toBe(Math.min(count, 64))
  })

  it('is found out anew in each batch', async () => {
    let away = false
    const { embed, setbacks } = endpointThat(() => {
      if (away) throw refusal('Bad request')
    })
    const batches = createEmbeddingBatches(2)
    const call = batches.embed(numbered(6), {
      ask: async (texts) => {
        if (away) throw refusal('Bad request')
        away = true
        return texts.map(vectorOf)
      },
      onSetback: (setback) => setbacks.push(setback),
    })
    await expect(call).rejects.toThrow('Bad request')
    expect(setbacks).toEqual([])
    expect(await embed(batches, [])).toEqual([])
  })
})

describe('a text that is too long', () => {
  it('gives the vector of its head', async () => {
    const { embed, asked, setbacks } = endpointThat((texts) => {
      if (texts.some(({ length }) => length > 30)) throw tooLong()
    })
    const long = 'x'.repeat(100)
    const vectors = await embed(createEmbeddingBatches(64), ['a', long, 'bb'])
    expect(vectors).toEqual([[1], [25], [2]])
    expect(setbacks).toMatchObject([{ outcome: 'shortened', length: 100 }])
    expect(asked.flat()).not.toContain('Hello')
  })

  it('is given up after six halvings, while the others have their vectors', async () => {
    const { embed, sizes, setbacks } = endpointThat((texts) => {
      if (texts.some(({ length }) => length > 10)) throw tooLong()
    })
    expect(await embed(createEmbeddingBatches(64), ['x'.repeat(10_000), 'a'])).toEqual([
      undefined,
      [1],
    ])
    expect(setbacks).toMatchObject([{ outcome: 'refused', length: 10_000 }])
    // The batch, the text alone, six heads, the harmless text, and the other.
    expect(sizes).toHaveLength(10)
  })

  it('teaches nothing about the size of batches', async () => {
    const { embed, sizes } = endpointThat((texts) => {
      if (texts.some(({ length }) => length > 30)) throw tooLong()
    })
    const batches = createEmbeddingBatches(8)
    await embed(batches, ['x'.repeat(100), ...numbered(7)])
    sizes.length = 0
    await embed(batches, numbered(8))
    expect(sizes).toEqual([8])
  })
})

it('embeds every text that is taken, in order, whatever the endpoint refuses', async () => {
  const cases = fc.record({
    texts: fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 60 }),
    most: fc.integer({ min: 1, max: 20 }),
    bad: fc.func(fc.boolean()),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ texts, most, bad }) => {
      const isBad = (text: string) => text !== 'Hello' && bad(text)
      const { embed, sizes, setbacks } = endpointThat((batch) => {
        if (batch.length > most) throw refusal('too many inputs')
        if (batch.some(isBad)) throw refusal('not allowed')
      })
      const vectors = await embed(createEmbeddingBatches(16), texts)
      expect(vectors).toEqual(texts.map((text) => (isBad(text) ? undefined : vectorOf(text))))
      expect(setbacks).toHaveLength(texts.filter(isBad).length)
      expect(sizes.length).toBeLessThanOrEqual(3 * texts.length + 1)
    }),
  )
})
