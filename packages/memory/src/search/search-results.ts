import type { Chunk } from '@loam/storage'
import type { SearchResult } from '../memory.js'
import type { RankedUnit } from '../ranking/rank.js'

/** Joins the ranked units with their texts, in the order of the ranking. */
export function toSearchResults(
  ranked: readonly RankedUnit[],
  chunks: readonly Chunk[],
  explain: boolean,
): readonly SearchResult[] {
  const byId = new Map(chunks.map((chunk) => [chunk.chunkId, chunk]))
  return ranked.flatMap((found) => {
    const chunk = byId.get(found.unit.chunk.chunkId)
    return chunk === undefined ? [] : [toSearchResult(found, chunk, explain)]
  })
}

function toSearchResult(
  { unit, score, parts }: RankedUnit,
  chunk: Chunk,
  explain: boolean,
): SearchResult {
  return {
    id: chunk.chunkId,
    source: chunk.source,
    score,
    text: chunk.text,
    scope: chunk.userId === '' ? 'global' : 'personal',
    ...(chunk.path !== undefined && { path: chunk.path }),
    ...(chunk.startLine !== undefined && { startLine: chunk.startLine }),
    ...(chunk.endLine !== undefined && { endLine: chunk.endLine }),
    ...(chunk.sessionKey !== undefined && { session: chunk.sessionKey }),
    ...(chunk.source === 'messages' && { sequence: chunk.position }),
    ...(chunk.messageId !== undefined && { messageId: chunk.messageId }),
    ...(chunk.source === 'episodes' && { episodeId: chunk.groupId }),
    createdAt: chunk.occurredAt,
    ...(explain && {
      explanation: {
        ...parts,
        matchedTerms: unit.matchedTerms,
        ...(unit.similarity !== undefined && { similarity: unit.similarity }),
      },
    }),
  }
}
