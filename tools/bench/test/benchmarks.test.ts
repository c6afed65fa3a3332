import { postgresTestUrl } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { BENCHMARKS } from '../src/benchmarks/index.js'
import type { Sizes } from '../src/sizes.js'
import { createWorld } from '../src/world.js'

const databaseUrl = postgresTestUrl() ?? ''
const redisUrl = redisTestUrl() ?? ''

/** A dozen processes start, on a machine that may be busy. */
const PATIENCE_MS = 180_000

const sizes: Sizes = {
  rounds: 1,
  messages: 20,
  searchedMessages: 30,
  questions: 3,
  runs: 3,
  dimensions: 16,
}

const servers = 'LOAM_TEST_DATABASE_URL, LOAM_TEST_REDIS_URL'
describe.skipIf(databaseUrl === '' || redisUrl === '')(`the benchmarks (${servers})`, () => {
  it.each([
    ['search', ['Loam', 'Loam, local embeddings']],
    [
      'client',
      [
        'POST …/context, @loam/client',
        'runtime.buildContext',
        'POST …/memory/search, @loam/client',
        'runtime.memory.search',
      ],
    ],
    [
      'chat',
      [
        'the drop-in chat',
        'prompt, then the model',
        'the model alone',
        'chat, embeddings of a server',
        'the drop-in chat',
        'the model alone',
        'chat, embeddings of a server',
      ],
    ],
  ])('measures %s with real processes', { timeout: PATIENCE_MS }, async (name, sides) => {
    await using world = await createWorld({
      databaseUrl,
      redisUrl,
      dimensions: sizes.dimensions,
    })
    const comparisons = await BENCHMARKS[name]?.({
      world,
      sizes,
      peersFolder: undefined,
      onProgress: () => {},
    })
    const measured = comparisons?.flatMap(({ ours, theirs, besides }) => [
      ...ours,
      ...theirs,
      ...besides,
    ])
    expect(measured?.map((side) => side.name)).toStrictEqual(sides)
    for (const { median } of measured ?? []) expect(median).toBeGreaterThan(0)
  })
})

/** @throws Error when there is none, and nothing may be skipped for want of a server. */
function redisTestUrl(): string | undefined {
  const { LOAM_TEST_REDIS_URL: url, CI } = process.env
  if (url || CI !== 'true') return url
  throw new Error('LOAM_TEST_REDIS_URL is not set, and with CI=true no suite may be skipped.')
}
