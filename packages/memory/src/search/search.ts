import type { AbortableOptions, Clock, EmbeddingModel, Logger, Scope } from '@loam/core'
import type { ChunkFilter, Storage, Stores } from '@loam/storage'
import { queryTerms } from '@loam/text'
import { accessOf } from '../access.js'
import type { EmbeddingSpaceLookup } from '../indexing/embedding-space.js'
import type { MemoryLimits } from '../limits.js'
import type { SearchRequest, SearchResponse } from '../memory.js'
import { collectCandidates, ownScore, unitKey, type Candidates } from '../ranking/candidates.js'
import { placesBeside } from '../ranking/neighbour-signal.js'
import { rankUnits } from '../ranking/rank.js'
import type { RankingWeights } from '../ranking/weights.js'
import { embedQuery } from './query-vector.js'
import { relativeDateWords } from './relative-dates.js'
import { toSearchResults } from './search-results.js'
import { checkSearch, type CheckedSearch } from './search-request.js'

/** What a search works with. */
export interface SearchDependencies {
  readonly storage: Storage
  readonly embeddings: EmbeddingModel
  readonly spaces: EmbeddingSpaceLookup
  readonly clock: Clock
  readonly logger: Logger
  readonly limits: MemoryLimits
  readonly ranking: RankingWeights
}

/** Postings read and candidates scored at most (spec 09, "Lexical search at scale"). */
const LEXICAL_LIMITS = { maxPostings: 5000, maxCandidates: 500 } as const
/** Nearest vectors looked at. */
const VECTOR_CANDIDATES = 200
/** The best of the candidates, whose neighbours are looked up too. */
const LENDERS = 100

/** Finds by words and by meaning what a scope's user may see, and ranks it. */
export async function searchMemory(
  dependencies: SearchDependencies,
  scope: Scope,
  request: SearchRequest,
  { signal }: AbortableOptions = {},
): Promise<SearchResponse> {
  const { clock, limits, embeddings } = dependencies
  const access = accessOf(scope)
  const checked = checkSearch(request, clock.now(), limits)
  const terms = searchTerms(checked, limits)
  if (checked.sources.length === 0 || checked.query.trim() === '') return emptyResponse(checked)

  const started = performance.now()
  const embedded = await embedQuery(
    checked.query,
    { scope, task: 'memory.search', signal },
    dependencies,
  )
  const spaceId = embedded.vector === undefined ? undefined : await dependencies.spaces.idFor(scope)
  const searching = performance.now()
  let rankMs = 0
  const outcome = await dependencies.storage.transaction(
    access,
    async (stores) => {
      const filter: ChunkFilter = {
        agentId: scope.agentId,
        sources: checked.sources,
        pathPrefix: checked.pathPrefix,
        now: checked.now,
      }
      const lexical = await stores.chunks.matchTerms(filter, terms, LEXICAL_LIMITS)
      const vectors =
        embedded.vector === undefined || spaceId === undefined
          ? []
          : await stores.chunks.nearest(filter, {
              spaceId,
              vector: embedded.vector,
              limit: VECTOR_CANDIDATES,
            })
      const candidates = collectCandidates(lexical, vectors, {
        vectorWeight: dependencies.ranking.vector,
        minSimilarity: embeddings.trust.minSimilarity,
      })
      const beside = await readBeside(stores, candidates, dependencies.ranking)
      const ranking = performance.now()
      const shown = rankUnits({
        query: checked.query,
        units: candidates.units,
        beside,
        lexical,
        weights: dependencies.ranking,
        minScore: checked.minScore,
        limit: checked.maxResults,
      })
      rankMs = performance.now() - ranking
      const chunks = await stores.chunks.read(shown.map(({ unit }) => unit.chunk.chunkId))
      return { lexical, vectors, candidates, shown, chunks }
    },
    { signal, readOnly: true },
  )
  const finished = performance.now()

  const results = toSearchResults(outcome.shown, outcome.chunks, checked.explain)
  const degraded = degradation(checked, embedded.failure)
  return {
    results,
    count: results.length,
    ...(degraded === undefined ? {} : { degraded }),
    ...(checked.explain && {
      explanation: {
        terms,
        weights: outcome.candidates.weights,
        candidates: { lexical: outcome.lexical.matches.length, vector: outcome.vectors.length },
        timingsMs: {
          embed: searching - started,
          search: finished - searching - rankMs,
          rank: rankMs,
        },
      },
    }),
  }
}

/** Dates first, so that a long query does not push them out. */
function searchTerms({ query, now, timezone }: CheckedSearch, limits: MemoryLimits) {
  const dates = relativeDateWords(query, now, timezone)
  const terms = queryTerms([...dates, query].join(' '))
  return [...new Set(terms)].slice(0, limits.maxQueryTerms)
}

async function readBeside(stores: Stores, { units }: Candidates, weights: RankingWeights) {
  if (weights.turnBefore === 0 && weights.turnAfter === 0) return []
  const lenders = [...units.values()]
    .filter(({ chunk }) => chunk.source === 'messages')
    .toSorted((one, other) => ownScore(other) - ownScore(one))
    .slice(0, LENDERS)
  const places = placesBeside(lenders.map(({ chunk }) => chunk))
  const missing = places.filter(({ groupId, position }) => !units.has(unitKey(groupId, position)))
  return missing.length === 0 ? [] : stores.chunks.at(missing)
}

function degradation({ isCut, query }: CheckedSearch, failure?: string): string | undefined {
  const reasons = [
    failure,
    isCut ? `Only the first ${query.length} characters of the query were read.` : undefined,
  ].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join(' ')
}

function emptyResponse({ explain }: CheckedSearch): SearchResponse {
  return {
    results: [],
    count: 0,
    ...(explain && {
      explanation: {
        terms: [],
        weights: { lexical: 1, vector: 0 },
        candidates: { lexical: 0, vector: 0 },
        timingsMs: { embed: 0, search: 0, rank: 0 },
      },
    }),
  }
}
