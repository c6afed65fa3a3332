import type { ChunkFilter, LexicalLimits, LexicalMatches, LexicalStatistics } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { bigintArray, jsonValue, textArray } from '../sql-values.js'
import { findable, keyColumns, toChunkKey, type KeyRow } from './chunk-rows.js'
import type { StoreContext } from './store-context.js'
import type { WarmScope } from './warm-scope.js'
import {
  matchWarm,
  scopesToSearch,
  warmFindable,
  warmScopesOf,
  type SearchContext,
} from './warm-search.js'

// BM25 with its usual constants, only to choose the candidates; the caller scores them again.
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

interface TermInScope {
  readonly scopeId: number
  readonly term: string
  readonly count: number
}

/**
 * Finds the chunks in which any of the terms stands (spec 09, "Lexical search at scale"): first how common each term is, then the
 * postings of the rarest terms up to a bound, then the best candidates with the frequencies of all terms.
 */
export async function matchTerms(
  context: SearchContext,
  filter: ChunkFilter,
  terms: readonly string[],
  limits: LexicalLimits,
): Promise<LexicalMatches> {
  const scopes = await scopesToSearch(context, filter.agentId)
  const distinct = [...new Set(terms)]
  const scopeIds = scopes.map(({ scopeId }) => scopeId)
  const warm = await warmScopesOf(context, { agentId: filter.agentId, scopes })
  const counts = warm ? countWarm(warm, distinct) : await countTerms(context, scopeIds, distinct)
  const statistics: LexicalStatistics = {
    chunkCount: sumOf(scopes, ({ chunkCount }) => chunkCount),
    totalLength: sumOf(scopes, ({ termCount }) => termCount),
    documentFrequencies: totalByTerm(counts),
    sessionCount: sumOf(scopes, ({ sessionCount }) => sessionCount),
    sessionTotalLength: sumOf(scopes, ({ sessionTermCount }) => sessionTermCount),
  }
  if (counts.length === 0 || filter.sources.length === 0) {
    return { statistics, matches: [], sessionLengths: new Map() }
  }
  const plan = planReading(counts, statistics, limits.maxPostings)
  const averageLength = Math.max(1, statistics.totalLength / Math.max(1, statistics.chunkCount))
  if (warm) {
    const found = matchWarm(warm, plan, {
      terms: [...statistics.documentFrequencies.keys()],
      limit: limits.maxCandidates,
      isFindable: await warmFindable(context, filter, warm),
      scoreOf: ({ frequency, length, weight }) =>
        (weight * frequency * (SATURATION + 1)) /
        (frequency + SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / averageLength)),
    })
    return { statistics, ...found }
  }
  const rows = await execute<MatchRow>(
    context.database,
    sql`with plan as materialized (
      select * from jsonb_to_recordset(${jsonValue(plan)}) as p ("scopeId" bigint, term text, budget int, weight float8)
    ), read as materialized (
      select found.chunk_id, found.scope_id, found.length, plan.weight * found.frequency * ${SATURATION + 1}::float8
        / (found.frequency + ${SATURATION}::float8 * (${1 - LENGTH_WEIGHT}::float8
          + ${LENGTH_WEIGHT}::float8 * found.length / ${averageLength}::float8)) as score
      from plan cross join lateral (
        select p.chunk_id, p.scope_id, p.frequency, p.length from loam.postings p
        where p.tenant_id = ${context.access.tenantId} and p.scope_id = plan."scopeId" and p.term = plan.term
        order by p.chunk_id desc limit plan.budget
      ) found
    ), scored as materialized (
      select chunk_id, scope_id, length, sum(score) as score from read group by chunk_id, scope_id, length
    ), candidates as materialized (
      select scored.scope_id, scored.length, ${keyColumns}
      from scored join loam.chunks c on c.tenant_id = ${context.access.tenantId} and c.id = scored.chunk_id
      where ${findable(context, filter)}
      order by scored.score desc, c.id limit ${limits.maxCandidates}::int
    )
    select candidates.*, frequencies.frequencies, (
      select g.term_count::float8 from loam.chunk_groups g
      where candidates.source = 'messages' and g.tenant_id = ${context.access.tenantId}
        and g.scope_id = candidates.scope_id and g.group_id = candidates."groupId"
    ) as "sessionLength"
    from candidates cross join lateral (
      select jsonb_object_agg(wanted.term, found.frequency) as frequencies
      from unnest(${textArray([...statistics.documentFrequencies.keys()])}) as wanted (term) cross join lateral (
        select p.frequency from loam.postings p
        where p.tenant_id = ${context.access.tenantId} and p.scope_id = candidates.scope_id
          and p.term = wanted.term and p.chunk_id = candidates."chunkId" limit 1
      ) found
    ) frequencies`,
  )
  return {
    statistics,
    matches: rows.map((row) => ({
      ...toChunkKey(row),
      length: row.length,
      frequencies: new Map(Object.entries(row.frequencies)),
    })),
    sessionLengths: new Map(
      rows.flatMap(({ groupId, sessionLength }) =>
        sessionLength === null ? [] : [[groupId, sessionLength]],
      ),
    ),
  }
}

function countWarm(scopes: readonly WarmScope[], terms: readonly string[]): readonly TermInScope[] {
  return scopes.flatMap(({ scopeId, postings }) =>
    terms.flatMap((term) => {
      const count = postings.get(term)?.chunks.length ?? 0
      return count > 0 ? [{ scopeId, term, count }] : []
    }),
  )
}

interface MatchRow extends KeyRow {
  readonly length: number
  readonly frequencies: Readonly<Record<string, number>>
  readonly sessionLength: number | null
}

async function countTerms(
  { database, access }: StoreContext,
  scopeIds: readonly number[],
  terms: readonly string[],
): Promise<readonly TermInScope[]> {
  if (scopeIds.length === 0 || terms.length === 0) return []
  return await execute<TermInScope>(
    database,
    // Term by term: with a list of terms, Postgres 15 may choose to read all postings of the scope and leave out the rest.
    sql`select scope.id::float8 as "scopeId", wanted.term, found.count
    from unnest(${bigintArray(scopeIds)}) as scope (id) cross join unnest(${textArray(terms)}) as wanted (term)
    cross join lateral (
      select count(*)::int as count from loam.postings p
      where p.tenant_id = ${access.tenantId} and p.scope_id = scope.id and p.term = wanted.term
    ) found
    where found.count > 0`,
  )
}

/**
 * Which postings to read: those of the rarest terms first, until the bound. Of the term at which it is reached the newest
 * chunks are read, since a bound on the whole term could leave a common word alone without any candidate.
 */
function planReading(
  counts: readonly TermInScope[],
  { chunkCount, documentFrequencies }: LexicalStatistics,
  maxPostings: number,
) {
  const frequencyOf = (term: string) => documentFrequencies.get(term) ?? 0
  const rarestFirst = counts.toSorted(
    (a, b) => frequencyOf(a.term) - frequencyOf(b.term) || (a.term < b.term ? -1 : 1),
  )
  let left = maxPostings
  return rarestFirst.flatMap(({ scopeId, term, count }) => {
    const budget = Math.min(count, left)
    left -= budget
    const frequency = frequencyOf(term)
    const weight = Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5))
    return budget > 0 ? [{ scopeId, term, budget, weight }] : []
  })
}

function totalByTerm(counts: readonly TermInScope[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const { term, count } of counts) totals.set(term, (totals.get(term) ?? 0) + count)
  return totals
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0)
}
