/** A process that makes episodes as Loam's worker does, in bare SQL. */
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { v7 as uuid } from 'uuid'
import { createJsonClient } from '../json-client.js'
import { CONSUMER, LEASE_MS, type BareJob, type BareOptions } from './bare-job.js'
import { storeEpisode, type EpisodeText } from './bare-episode.js'
import { answerParent } from './parent-calls.js'

const tenantId = DEFAULT_TENANT_ID

answerParent({
  async start(options: BareOptions) {
    const { databaseUrl, redisUrl, prefix, concurrency, modelUrl, dimensions, complete } = options
    const database = postgres(databaseUrl, { max: 10, onnotice: () => {} })
    const spaceId = await ensureSpace(database, dimensions)
    const models = createJsonClient(modelUrl, 'none')

    async function recorded<Answer>(job: BareJob, kind: string, call: () => Promise<Answer>) {
      if (!complete) return await call()
      const id = uuid()
      await database`insert into loam.model_calls (tenant_id, id, agent_id, user_id, task, kind, provider, model, run_id, job_id, started_at)
        values (${tenantId}, ${id}, ${job.agentId}, ${job.userId}, 'episode', ${kind}, 'bench', 'bench', ${job.runId}, ${job.deliveryId}, now())`
      const answer = await call()
      await database`update loam.model_calls set status = 'succeeded', input_tokens = 500, output_tokens = 100, finished_at = now()
        where tenant_id = ${tenantId} and id = ${id}`
      return answer
    }

    async function handle(job: BareJob): Promise<void> {
      const { deliveryId, sessionId, lastSequence } = job
      if (complete) {
        await database`update loam.deliveries set state = 'running', tries = tries + 1,
          lease_until = now() + ${LEASE_MS}::int * interval '1 millisecond'
          where tenant_id = ${tenantId} and id = ${deliveryId} and attempt = 1 and state = 'sent'`
      }
      const messages = await database.begin(async (transaction) => {
        const [covered] = await transaction<{ last: number }[]>`
          select covered_sequence as last from loam.sessions where tenant_id = ${tenantId} and id = ${sessionId}`
        return await transaction<{ sequence: number; role: string; content: string; at: Date }[]>`
          select sequence, role, content, created_at as at from loam.messages
          where tenant_id = ${tenantId} and session_id = ${sessionId}
            and sequence between ${(covered?.last ?? 0) + 1} and ${lastSequence} order by sequence`
      })
      const transcript = messages
        .map(({ role, content, at }) => `[${at.toISOString()}] ${role}: ${content}`)
        .join('\n')
      const completion = await recorded(job, 'chat', () =>
        models.post<Completion>('/chat/completions', {
          model: 'bench-chat',
          messages: [{ role: 'user', content: `Sum up this conversation.\n${transcript}` }],
        }),
      )
      const written = JSON.parse(completion.choices[0]?.message.content ?? '{}') as EpisodeText
      const embedded = await recorded(job, 'embedding', () =>
        models.post<Embeddings>('/embeddings', { model: 'bench', input: [written.summary] }),
      )
      const vector = embedded.data[0]?.embedding ?? []
      await storeEpisode(database, { job, messages, written, vector, spaceId })
      await database`update loam.deliveries set state = 'done', lease_until = null
        where tenant_id = ${tenantId} and id = ${deliveryId} and attempt = 1`
    }

    const connection = new Redis(redisUrl, { maxRetriesPerRequest: null })
    const worker = new Worker<BareJob>(CONSUMER, ({ data }) => handle(data), {
      connection,
      prefix,
      concurrency,
    })
    worker.on('failed', (_job, error) => console.error('bare-worker:', error))
    await worker.waitUntilReady()
  },
})

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

interface Embeddings {
  readonly data: readonly { readonly embedding: readonly number[] }[]
}

async function ensureSpace(database: postgres.Sql, dimensions: number): Promise<number> {
  await database`insert into loam.embedding_spaces (provider, model, dimensions)
    values ('openai-compatible', 'bench-embeddings', ${dimensions}) on conflict do nothing`
  const [space] = await database<{ id: number }[]>`select id from loam.embedding_spaces limit 1`
  return space?.id ?? 0
}
