import type { GenerateId } from '@loam/core'
import type { NewChunk, NewEpisode } from '@loam/storage'
import { chunkText } from '../chunking/chunk-text.js'
import { calendarWords } from './calendar-words.js'
import { termsOf } from './chunk-terms.js'

/** The chunks of an episode: of its summary, its abstract where the summary does not say it, and its topics. */
export function episodeChunks(episode: NewEpisode, generateId: GenerateId): readonly NewChunk[] {
  const abstract = episode.summary.includes(episode.abstract) ? '' : episode.abstract
  const whole = [episode.summary, abstract, episode.topics.join(', ')]
    .filter((text) => text.trim() !== '')
    .join('\n\n')
  return chunkText(whole).map((chunk, index) => ({
    id: generateId(),
    agentId: episode.agentId,
    userId: episode.userId,
    owner: { source: 'episodes', episodeId: episode.id },
    position: index + 1,
    part: 0,
    text: chunk.text,
    occurredAt: episode.endedAt,
    expiresAt: episode.expiresAt,
    terms: termsOf([chunk.text, calendarWords(episode.endedAt)]),
  }))
}
