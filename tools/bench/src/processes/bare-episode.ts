import { DEFAULT_TENANT_ID } from '@loam/storage'
import type postgres from 'postgres'
import { v7 as uuid } from 'uuid'
import type { BareJob } from './bare-job.js'

const tenantId = DEFAULT_TENANT_ID

/** What the model wrote. */
export interface EpisodeText {
  readonly summary: string
  readonly abstract: string
  readonly topics: readonly string[]
}

/** What is written down. */
export interface NewBareEpisode {
  readonly job: BareJob
  readonly messages: readonly { readonly sequence: number; readonly at: Date }[]
  readonly written: EpisodeText
  readonly vector: readonly number[]
  readonly spaceId: number
}

/** Writes an episode, its chunk with postings (which the trigger makes) and vector, and its event, in one transaction. */
export async function storeEpisode(
  database: postgres.Sql,
  { job, messages, written, vector, spaceId }: NewBareEpisode,
): Promise<void> {
  const { agentId, userId, sessionId } = job
  const [first] = messages
  const last = messages.at(-1)
  if (!first || !last) throw new Error(`Session ${sessionId} has nothing new.`)
  const { summary, abstract, topics } = written
  const episodeId = uuid()
  const chunkId = uuid()
  const terms = countWords(`${summary} ${abstract} ${topics.join(' ')}`)
  const payload = {
    episodeId,
    sessionId,
    firstSequence: first.sequence,
    lastSequence: last.sequence,
  }
  await database.begin(async (transaction) => {
    const [covered] = await transaction<{ last: number }[]>`
      select covered_sequence as last from loam.sessions
      where tenant_id = ${tenantId} and id = ${sessionId} for no key update`
    if (covered?.last !== first.sequence - 1) return
    await transaction`insert into loam.episodes (tenant_id, id, agent_id, user_id, session_id, first_sequence, last_sequence, summary,
        abstract, topics, method, message_count, started_at, ended_at, created_at, expires_at)
      values (${tenantId}, ${episodeId}, ${agentId}, ${userId}, ${sessionId}, ${first.sequence}, ${last.sequence}, ${summary},
        ${abstract}, ${transaction.array([...topics])}, 'model', ${messages.length}, ${first.at}, ${last.at}, now(), now() + interval '90 days')`
    await transaction`update loam.sessions set covered_sequence = ${last.sequence} where tenant_id = ${tenantId} and id = ${sessionId}`
    await transaction`insert into loam.scopes (tenant_id, agent_id, user_id) values (${tenantId}, ${agentId}, ${userId})
      on conflict do nothing`
    await transaction`insert into loam.chunks (tenant_id, scope_id, agent_id, user_id, id, episode_id, position, part, text, occurred_at,
        expires_at, terms, frequencies, length)
      select ${tenantId}, scope_id, ${agentId}, ${userId}, ${chunkId}, ${episodeId}, 1, 0, ${summary}, ${last.at},
        now() + interval '90 days', ${transaction.array([...terms.keys()])}, ${transaction.array([...terms.values()], 23)}::int[],
        ${[...terms.values()].reduce((sum, count) => sum + count, 0)}
      from loam.scopes where tenant_id = ${tenantId} and agent_id = ${agentId} and user_id = ${userId}`
    await transaction`insert into loam.chunk_vectors (tenant_id, chunk_id, space_id, scope_id, dimensions, is_zero, embedding)
      select tenant_id, id, ${spaceId}, scope_id, ${vector.length}, false, ${`[${vector.join(',')}]`}::vector
      from loam.chunks where tenant_id = ${tenantId} and id = ${chunkId}`
    await transaction`insert into loam.events (tenant_id, id, agent_id, user_id, session_id, type, payload, occurred_at)
      values (${tenantId}, ${uuid()}, ${agentId}, ${userId}, ${sessionId}, 'episodic.created', ${transaction.json(payload)}, now())`
  })
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
