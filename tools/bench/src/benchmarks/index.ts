import type { Benchmark } from './benchmark.js'
import { chat } from './chat.js'
import { client } from './client.js'
import { context } from './context.js'
import { ingest } from './ingest.js'
import { prompt } from './prompt.js'
import { runs } from './runs.js'
import { search } from './search.js'
import { skills } from './skills.js'

export type { Benchmark, BenchmarkOptions } from './benchmark.js'

/** The benchmarks by name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  ingest,
  search,
  runs,
  prompt,
  context,
  client,
  chat,
  skills,
}
