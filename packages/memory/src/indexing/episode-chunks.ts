import type { GenerateId } from '@loam/core'
import type { NewChunk, NewEpisode } from '@loam/storage'
import { chunkText } from '../chunking/chunk-text.js'
import { calendarWords } from './calendar-words.js'
import { termsOf } from './chunk-terms.js'

/** The chunks of an episode: those of its summary, the first of which is found by abstract and topics too. */
export function episodeChunks(episode: NewEpisode, generateId: GenerateId): readonly NewChunk[] {
  const abstract = episode.summary.includes(episode.abstract) ? undefined : episode.abstract
  return chunkText(episode.summary).map((chunk, index) => ({
    id: generateId(),
    agentId: episode.agentId,
    userId: episode.userId,
    owner: { source: 'episodes', episodeId: episode.id },
    position: index + 1,
    part: 0,
    text: chunk.text,
    occurredAt: episode.endedAt,
    expiresAt: episode.expiresAt,
    terms: termsOf([
      chunk.text,
      calendarWords(episode.endedAt),
      ...(index === 0 ? [abstract, episode.topics.join(', ')] : []),
    ]),
  }))
}
