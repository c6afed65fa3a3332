import { NotFoundError, defineTool, type AgentTool, type Scope } from '@loam/core'
import { z } from 'zod'
import type { Memory, SearchResult } from '../memory.js'
import { describeResult } from './describe-result.js'

/** For whom the tools act, and when. */
export interface MemoryToolsOptions {
  readonly scope: Scope
  /** IANA zone in which dates like "last week" are meant. Default UTC. */
  readonly timezone?: string | undefined
  /** What a search does not tell, such as what the conversation shows already. Default: nothing. */
  readonly leaveOut?: ((result: SearchResult) => boolean) | undefined
}

/** How many more are asked for when some may be left out. */
const SPARE_RESULTS = 5
const DEFAULT_RESULTS = 6
const MOST_RESULTS = 50
const MAX_LINES = 2_000

const searchSchema = z.object({
  query: z.string().min(1).max(10_000).describe('A question or a few words.'),
  maxResults: z
    .number()
    .int()
    .min(1)
    .max(MOST_RESULTS)
    .optional()
    .describe(`How many at most. Default ${DEFAULT_RESULTS}.`),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Leaves out what is below this share of the best result. Default 0.'),
})

const getSchema = z.object({
  path: z.string().min(1).describe('Such as MEMORY.md or memory/travel.md.'),
  from: z.number().int().min(1).optional().describe('First line, from 1. Default 1.'),
  lines: z.number().int().min(1).max(MAX_LINES).optional().describe('How many. Default all.'),
})

/**
 * The tools `memory_search` and `memory_get` of a user of an agent (spec 04, 5.5).
 *
 * @example
 * const tools = createMemoryTools(memory, { scope: { tenantId, agentId, userId: 'ana' } })
 */
export function createMemoryTools(
  memory: Pick<Memory, 'search' | 'getDocument'>,
  { scope, timezone, leaveOut }: MemoryToolsOptions,
): readonly AgentTool[] {
  return [
    defineTool({
      name: 'memory_search',
      title: 'Search memory',
      description:
        'Searches what is remembered: what was said in earlier conversations, their summaries, and notes. Use it before you answer anything that earlier conversations may tell.',
      inputSchema: searchSchema,
      isReadOnly: true,
      isOpenWorld: false,
      async run({ query, maxResults = DEFAULT_RESULTS, minScore }, { signal }) {
        const asked = Math.min(MOST_RESULTS, maxResults + (leaveOut ? SPARE_RESULTS : 0))
        const request = { query, maxResults: asked, minScore, timezone }
        const { results: all, degraded } = await memory.search(scope, request, { signal })
        const results = all.filter((result) => !leaveOut?.(result)).slice(0, maxResults)
        if (results.length === 0) return `Nothing is remembered about ${JSON.stringify(query)}.`
        const found = results.map(describeResult).join('\n\n')
        return degraded === undefined ? found : `${found}\n\n(${degraded})`
      },
    }),
    defineTool({
      name: 'memory_get',
      title: 'Read a note',
      description: 'Reads a note from memory by its path, as memory_search gives it.',
      inputSchema: getSchema,
      isReadOnly: true,
      isOpenWorld: false,
      async run({ path, from = 1, lines = MAX_LINES }) {
        const { content } = await memory.getDocument(scope, path).catch((error: unknown) => {
          if (NotFoundError.isInstance(error)) return { content: undefined }
          throw error
        })
        if (content === undefined) return `There is no note at ${path}.`
        const all = content.split('\n')
        if (from > all.length) return `${path} has ${all.length} lines; there is no line ${from}.`
        const last = Math.min(all.length, from - 1 + lines)
        const part = all.slice(from - 1, last).join('\n')
        return from === 1 && last === all.length
          ? part
          : `Lines ${from} to ${last} of ${all.length}:\n${part}`
      },
    }),
  ]
}
