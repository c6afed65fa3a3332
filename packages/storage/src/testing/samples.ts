import { generateId, type LoamEvent } from '@loam/core'
import type { NewChunk } from '../chunks.js'
import type { DocumentWrite } from '../documents.js'
import type { NewEpisode } from '../episodes.js'
import type { NewMessage } from '../messages.js'
import type { Run } from '../runs.js'
import type { NewSkill, NewSkillVersion } from '../skills.js'

/** The moment at which the tests take place. */
export const NOW = new Date('2026-11-30T12:00:00.123Z')

/** A moment so long after `NOW`. */
export function after(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds)
}

/** Texts that have been known to break a store. */
export const DIFFICULT_TEXTS = [
  { what: 'emoji', text: '👩‍👩‍👧‍👦 🇩🇪 👍🏽' },
  { what: 'right-to-left text', text: 'שלום עולם ومرحبا' },
  { what: 'CJK', text: '你好，世界。こんにちは' },
  { what: 'combining marks', text: 'e\u0301 \u0e01\u0e33 Z\u0351\u0344' },
  { what: 'quotes and backslashes', text: `'; drop table x; -- \\ " {a,"b"} $1 $$ %_` },
  { what: 'line ends and tabs', text: 'a\r\nb\nc\td\u2028e' },
  { what: 'a byte order mark inside a text', text: 'te\ufeffxt' },
  { what: 'text that looks like JSON', text: '{"a": [1, "2"]}' },
  { what: 'text that looks like a number', text: '0012' },
  { what: 'the word null', text: 'null' },
  { what: 'nothing', text: '' },
] as const

/** A message with the parts that do not matter filled in. */
export function sampleMessage(message: Partial<NewMessage> = {}): NewMessage {
  return {
    id: generateId(),
    role: 'user',
    content: 'Good morning',
    origin: 'conversation',
    createdAt: NOW,
    ...message,
  }
}

/** A document with the parts that do not matter filled in. */
export function sampleDocument(
  document: Pick<DocumentWrite, 'agentId'> & Partial<DocumentWrite>,
): DocumentWrite {
  return {
    id: generateId(),
    userId: '',
    path: 'MEMORY.md',
    content: 'The office is in Berlin.',
    hash: 'hash-1',
    indexState: 'pending',
    indexedHash: undefined,
    indexSettings: undefined,
    ...document,
  }
}

/** An episode with the parts that do not matter filled in. */
export function sampleEpisode(
  episode: Pick<NewEpisode, 'agentId' | 'userId' | 'sessionId'> & Partial<NewEpisode>,
): NewEpisode {
  return {
    id: generateId(),
    firstSequence: 1,
    lastSequence: 4,
    summary: 'They spoke of the move.',
    abstract: 'The move.',
    topics: ['move', 'Berlin'],
    method: 'rules',
    messageCount: 4,
    startedAt: NOW,
    endedAt: after(60_000),
    createdAt: after(61_000),
    expiresAt: undefined,
    ...episode,
  }
}

/** A run with the parts that do not matter filled in. */
export function sampleRun(
  run: Pick<Run, 'sessionId'> & Partial<Omit<Run, 'createdAt'>>,
): Omit<Run, 'createdAt'> {
  return {
    id: generateId(),
    runId: generateId(),
    status: 'completed',
    compactionSummary: undefined,
    usage: undefined,
    lastSequence: 0,
    eventId: generateId(),
    ...run,
  }
}

/** A chunk of the words given, each of which is a term. */
export function sampleChunk(
  chunk: Pick<NewChunk, 'agentId' | 'userId' | 'owner' | 'text'> & Partial<NewChunk>,
): NewChunk {
  const terms = new Map<string, number>()
  for (const word of chunk.text.split(' ').filter(Boolean)) {
    terms.set(word, (terms.get(word) ?? 0) + 1)
  }
  const position = chunk.owner.source === 'messages' ? chunk.owner.sequence : 1
  return { id: generateId(), position, part: 0, occurredAt: NOW, terms, ...chunk }
}

/** The event of a run. */
export function sampleEvent(
  event: Pick<LoamEvent, 'tenantId' | 'agentId' | 'userId'> & { readonly sessionId?: string },
): LoamEvent {
  const { sessionId = generateId(), ...owner } = event
  return {
    ...owner,
    id: generateId(),
    type: 'run.completed',
    occurredAt: NOW,
    payload: { runId: generateId(), sessionId, lastSequence: 3 },
  }
}

/** A skill that everybody with a grant may use. */
export function sampleSkill(skill: Partial<NewSkill> = {}): NewSkill {
  return {
    id: generateId(),
    slug: 'sample',
    visibility: 'internal',
    ownerUserId: '',
    ownerAgentId: undefined,
    ...skill,
  }
}

export function sampleSkillVersion(version: Partial<NewSkillVersion> = {}): NewSkillVersion {
  return {
    name: 'Sample',
    description: 'A sample',
    frontmatter: {},
    warnings: [],
    contentHash: 'hash',
    createdBy: 'test',
    files: [{ path: 'SKILL.md', content: new TextEncoder().encode('# Sample') }],
    ...version,
  }
}
