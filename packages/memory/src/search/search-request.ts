import { InvalidInputError, toStorableText, type InputIssue } from '@loam/core'
import { CHUNK_SOURCES, type ChunkSource } from '@loam/storage'
import { headOf } from '@loam/text'
import type { MemoryLimits } from '../limits.js'
import type { SearchRequest } from '../memory.js'
import { normalizePathPrefix } from '../memory-path.js'
import { checkTimezone } from '../timezone.js'

/** Most results of one search. */
export const MAX_RESULTS = 50
/** Results of a search that does not say how many (spec 04, 5.4). */
export const DEFAULT_RESULTS = 6

/** A search that was checked and completed. */
export interface CheckedSearch {
  readonly query: string
  readonly isCut: boolean
  readonly maxResults: number
  readonly minScore: number
  readonly sources: readonly ChunkSource[]
  readonly pathPrefix: string | undefined
  readonly now: Date
  readonly timezone: string
  readonly explain: boolean
}

/** @throws InvalidInputError that names every fault. */
export function checkSearch(
  request: SearchRequest,
  now: Date,
  { maxQueryLength }: Pick<MemoryLimits, 'maxQueryLength'>,
): CheckedSearch {
  const { query, maxResults = DEFAULT_RESULTS, minScore = 0, timezone = 'UTC' } = request
  const { sources = CHUNK_SOURCES } = request
  const issues: InputIssue[] = []
  const check = (holds: boolean, path: string, message: string) => {
    if (!holds) issues.push({ path, message })
  }
  check(typeof query === 'string', 'query', 'The query must be a string.')
  check(
    Number.isInteger(maxResults) && maxResults >= 1 && maxResults <= MAX_RESULTS,
    'maxResults',
    `maxResults is ${maxResults}; give a whole number from 1 to ${MAX_RESULTS}.`,
  )
  check(minScore >= 0 && minScore <= 1, 'minScore', `minScore is ${minScore}; give 0 to 1.`)
  for (const source of sources) {
    const message = `There is no source ${JSON.stringify(source)}. Use ${CHUNK_SOURCES.join(', ')}.`
    check(CHUNK_SOURCES.includes(source), 'sources', message)
  }
  const moment = request.now ?? now
  check(!Number.isNaN(moment.getTime()), 'now', 'now is no valid date.')
  const [first] = issues
  if (first !== undefined) throw new InvalidInputError({ message: first.message, issues })
  checkTimezone(timezone)
  return {
    query: toStorableText(headOf(query, maxQueryLength)),
    isCut: query.length > maxQueryLength,
    maxResults,
    minScore,
    sources: [...new Set(sources)],
    pathPrefix: normalizePathPrefix(request.pathPrefix),
    now: moment,
    timezone,
    explain: request.explain ?? false,
  }
}
