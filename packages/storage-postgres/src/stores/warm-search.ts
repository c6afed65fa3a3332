import type { ChunkFilter, LexicalMatches, VectorMatch } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { isUuid, textArray } from '../sql-values.js'
import { searchedScopes, type SearchedScope } from './chunk-rows.js'
import type { StoreContext } from './store-context.js'
import { similarities, type WarmChunk, type WarmScope } from './warm-scope.js'

/** What one unit of work searches with. */
export interface SearchContext extends StoreContext {
  /** What it searched last. */
  last?: LastSearch | undefined
}

interface LastSearch {
  readonly agentId: string
  readonly scopes: readonly SearchedScope[]
  /** Undefined when they are not in memory. */
  readonly warm: readonly WarmScope[] | undefined
  /** Statements that the unit of work had sent by then. When it has sent others since, it may have changed something. */
  statements: number
}

/** The scopes that a search covers, asked for again only when something else was asked since. */
export async function scopesToSearch(
  context: SearchContext,
  agentId: string,
): Promise<readonly SearchedScope[]> {
  const { last, gate } = context
  if (last?.agentId === agentId && last.statements === gate.count) return last.scopes
  return await searchedScopes(context, agentId)
}

/**
 * The scopes in memory as they are now; undefined when one of them is not, or when this unit of work has written something,
 * which no memory of other units may hold.
 */
export async function warmScopesOf(
  context: SearchContext,
  {
    agentId,
    scopes,
    space,
  }: Pick<LastSearch, 'agentId' | 'scopes'> & { readonly space?: WarmSpace },
): Promise<readonly WarmScope[] | undefined> {
  const warm = await readWarm(context, scopes, space)
  context.last = { agentId, scopes, warm, statements: context.gate.count }
  return warm
}

/** Where the neighbours of what was searched last are, if that is in memory. */
export function lastWarm({ last, gate }: SearchContext): readonly WarmScope[] | undefined {
  return last?.statements === gate.count ? last.warm : undefined
}

interface WarmSpace {
  readonly id: number
  readonly dimensions: number
}

async function readWarm(
  { database, access, warmScopes }: StoreContext,
  scopes: readonly SearchedScope[],
  space: WarmSpace | undefined,
): Promise<readonly WarmScope[] | undefined> {
  if (access.everyUser || scopes.some(({ hasWritten }) => hasWritten)) return undefined
  const warm: WarmScope[] = []
  for (const scope of scopes) {
    const found = await warmScopes.get({ database, access, scope, space })
    if (found === undefined) return undefined
    warm.push(found)
  }
  return warm
}

/** The condition under which a chunk may be found; the counterpart of `findable`. */
export async function warmFindable(
  context: SearchContext,
  { agentId, sources, pathPrefix = '', now }: ChunkFilter,
  scopes: readonly WarmScope[],
): Promise<(chunk: WarmChunk) => boolean> {
  const { database, access, last, gate } = context
  const wanted = new Set(sources)
  const hidden = new Set<string>()
  const { userId } = access
  if (userId !== undefined && userId !== '' && wanted.has('documents') && isUuid(agentId)) {
    const shared = scopes.flatMap(({ hasDocuments, chunks }) =>
      hasDocuments
        ? chunks.flatMap(({ key }) =>
            key.source === 'documents' && key.userId === '' && key.path !== undefined
              ? [key.path]
              : [],
          )
        : [],
    )
    if (shared.length > 0) {
      const rows = await execute<{ readonly path: string }>(
        database,
        sql`select own.path from loam.documents own where own.tenant_id = ${access.tenantId} and own.agent_id = ${agentId}::uuid
          and own.user_id = ${userId}::text and own.path = any (${textArray([...new Set(shared)])})`,
      )
      for (const { path } of rows) hidden.add(path)
      // It changed nothing.
      if (last) last.statements = gate.count
    }
  }
  const moment = now.getTime()
  return ({ key, expiresAt }) => {
    if (!wanted.has(key.source) || (expiresAt !== undefined && expiresAt <= moment)) return false
    if (key.source !== 'documents') return true
    const path = key.path ?? ''
    return path.startsWith(pathPrefix) && !(key.userId === '' && hidden.has(path))
  }
}

/** Postings to read of one term in one scope. */
export interface ReadingPlan {
  readonly scopeId: number
  readonly term: string
  readonly budget: number
  readonly weight: number
}

/** The best candidates for the terms, with the frequencies of all of them; the counterpart of the statement of `matchTerms`. */
export function matchWarm(
  scopes: readonly WarmScope[],
  plan: readonly ReadingPlan[],
  request: {
    readonly terms: readonly string[]
    readonly limit: number
    readonly isFindable: (chunk: WarmChunk) => boolean
    readonly scoreOf: (posting: { frequency: number; length: number; weight: number }) => number
  },
): Pick<LexicalMatches, 'matches' | 'sessionLengths'> {
  const { terms, limit, isFindable, scoreOf } = request
  const found: Found[] = []
  for (const scope of scopes) {
    const scores = new Float64Array(scope.chunks.length)
    const isMatched = new Uint8Array(scope.chunks.length)
    const matched: number[] = []
    for (const { scopeId, term, budget, weight } of plan) {
      const postings = scopeId === scope.scopeId ? scope.postings.get(term) : undefined
      if (postings === undefined) continue
      for (const index of newest(scope, postings.chunks, budget)) {
        const number = postings.chunks[index] ?? -1
        const chunk = scope.chunks[number]
        if (chunk === undefined) continue
        const frequency = postings.frequencies[index] ?? 0
        if (isMatched[number] === 0) matched.push(number)
        isMatched[number] = 1
        scores[number]! += scoreOf({ frequency, length: chunk.length, weight })
      }
    }
    for (const number of matched) {
      const chunk = scope.chunks[number]
      if (chunk && isFindable(chunk))
        found.push({ scope, number, chunk, score: scores[number] ?? 0 })
    }
  }
  const best = bestOf(found, limit)
  const frequencies = frequenciesOf(scopes, terms, best)
  const sessionLengths = new Map<string, number>()
  for (const { scope, chunk } of best) {
    const { groupId } = chunk.key
    const length = scope.sessionLengths.get(groupId)
    if (length !== undefined) sessionLengths.set(groupId, length)
  }
  const matches = best.map(({ chunk: { key, length } }) => ({
    ...key,
    length,
    frequencies: frequencies.get(key.chunkId) ?? new Map<string, number>(),
  }))
  return { matches, sessionLengths }
}

interface Found {
  readonly scope: WarmScope
  readonly number: number
  readonly chunk: WarmChunk
  readonly score: number
}

/** The best, best first. Numbers alone are sorted first, which costs far less than sorting all that was found. */
function bestOf(found: readonly Found[], limit: number): readonly Found[] {
  const scores = Float64Array.from(found, ({ score }) => score).toSorted()
  const least = scores[Math.max(0, scores.length - limit)] ?? 0
  return found
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score || compare(a.chunk.key.chunkId, b.chunk.key.chunkId))
    .slice(0, limit)
}

function frequenciesOf(
  scopes: readonly WarmScope[],
  terms: readonly string[],
  best: readonly Found[],
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byChunk = new Map(best.map(({ chunk }) => [chunk.key.chunkId, new Map<string, number>()]))
  for (const scope of scopes) {
    const isWanted = new Uint8Array(scope.chunks.length)
    for (const one of best) if (one.scope === scope) isWanted[one.number] = 1
    for (const term of terms) {
      const postings = scope.postings.get(term)
      if (postings === undefined) continue
      const { chunks, frequencies } = postings
      for (let index = 0; index < chunks.length; index += 1) {
        const number = chunks[index] ?? 0
        if (isWanted[number] !== 1) continue
        const chunkId = scope.chunks[number]?.key.chunkId ?? ''
        byChunk.get(chunkId)?.set(term, frequencies[index] ?? 0)
      }
    }
  }
  return byChunk
}

/** Which of these chunks to read, as indexes: all, or the newest ones by id. */
function newest(scope: WarmScope, chunks: readonly number[], budget: number): Iterable<number> {
  if (budget >= chunks.length) return chunks.keys()
  const idAt = (index: number) => scope.chunks[chunks[index] ?? -1]?.key.chunkId ?? ''
  return [...chunks.keys()].toSorted((a, b) => compare(idAt(b), idAt(a))).slice(0, budget)
}

/** The nearest chunks, nearest first; the counterpart of the statements of `nearest`. */
export function nearestWarm(
  scopes: readonly WarmScope[],
  { spaceId, vector, limit }: { spaceId: number; vector: readonly number[]; limit: number },
  isFindable: (chunk: WarmChunk) => boolean,
): readonly VectorMatch[] {
  const near = scopes.flatMap((scope) => {
    const vectors = scope.spaces.get(spaceId)
    if (vectors === undefined) return []
    const found = similarities(vectors, vector, (number) => {
      const chunk = scope.chunks[number]
      return chunk !== undefined && isFindable(chunk)
    })
    return highest(found, limit).flatMap((row): readonly VectorMatch[] => {
      const chunk = scope.chunks[vectors.chunks[row] ?? -1]
      return chunk ? [{ ...chunk.key, similarity: found[row] ?? 0 }] : []
    })
  })
  return near
    .toSorted((a, b) => b.similarity - a.similarity || compare(a.chunkId, b.chunkId))
    .slice(0, limit)
}

/** Where the highest numbers stand, and all that equal the last of them. NaN is none. */
function highest(values: Float64Array, count: number): readonly number[] {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted()
  const least = sorted[Math.max(0, sorted.length - count)] ?? Number.NaN
  const places: number[] = []
  for (const [place, value] of values.entries()) if (value >= least) places.push(place)
  return places
}

/** The chunks at a place, if one of the scopes has its group. */
export function warmAt(scopes: readonly WarmScope[], groupId: string, position: number) {
  return scopes.flatMap(({ byPlace, chunks }) =>
    (byPlace.get(groupId)?.get(position) ?? []).flatMap((number) => {
      const chunk = chunks[number]
      return chunk ? [chunk.key] : []
    }),
  )
}

/** Ids are compared as the database does, byte by byte; they are written in lower-case hexadecimal digits. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
