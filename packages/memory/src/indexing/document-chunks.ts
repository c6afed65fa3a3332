import type { EmbeddingModel, GenerateId } from '@loam/core'
import type { MemoryDocument, NewChunk } from '@loam/storage'
import { ANALYZER_VERSION } from '@loam/text'
import { CHUNKER_VERSION, chunkText, DEFAULT_CHUNK_LENGTH } from '../chunking/chunk-text.js'
import { termsOf } from './chunk-terms.js'

/** Names all that the index of a document depends on beside its text; another value means that it is made again (spec 04, 5.3). */
export function documentIndexSettings({ provider, model, dimensions }: EmbeddingModel): string {
  const parts = [
    `chunker=${CHUNKER_VERSION}/${DEFAULT_CHUNK_LENGTH}/0`,
    `analyzer=${ANALYZER_VERSION}`,
    `space=${provider}/${model}/${dimensions}`,
  ]
  return parts.join(' ')
}

/** The chunks of a document, before it is known which; a heading above a chunk is found by, not shown. */
export function documentChunks(
  document: Pick<MemoryDocument, 'agentId' | 'userId' | 'path' | 'content'>,
  writtenAt: Date,
  generateId: GenerateId,
): readonly Omit<NewChunk, 'owner'>[] {
  return chunkText(document.content).map((chunk, index) => ({
    id: generateId(),
    agentId: document.agentId,
    userId: document.userId,
    position: index + 1,
    part: 0,
    text: chunk.text,
    path: document.path,
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    occurredAt: writtenAt,
    terms: termsOf([chunk.text, chunk.heading]),
  }))
}
