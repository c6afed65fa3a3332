/** A process that takes runs over HTTP as Loam's API does, in bare SQL with one BullMQ job each. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { v7 as uuid } from 'uuid'
import { CONSUMER, LEASE_MS, type BareJob, type BareOptions } from './bare-job.js'
import { answerParent } from './parent-calls.js'

const tenantId = DEFAULT_TENANT_ID

answerParent({
  async listen({ databaseUrl, redisUrl, prefix, complete }: BareOptions) {
    const database = postgres(databaseUrl, { max: 10, onnotice: () => {} })
    const connection = new Redis(redisUrl, { maxRetriesPerRequest: null })
    const queue = new Queue<BareJob>(CONSUMER, { connection, prefix })
    const server = createServer(async (request, response) => {
      try {
        if (complete) await admit(database, request)
        const answer = await takeRun(database, queue, request, complete)
        response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      } catch (error) {
        response.writeHead(500).end(String(error))
      }
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})

const PATH = /^\/v1\/agents\/([^/]+)\/sessions\/([^/]+)\/runs$/

interface RunBody {
  readonly runId: string
  readonly userId: string
  readonly status: string
}

/** Looks up whose the key is, and the agent of the path. */
async function admit(database: postgres.Sql, request: IncomingMessage): Promise<void> {
  const secret = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const hash = createHash('sha256').update(secret).digest('hex')
  await database`select tenant_id, bound_user_id from loam.api_keys where hash = ${hash}`
  const [, agentKey = ''] = PATH.exec(request.url ?? '') ?? []
  await database`select id, settings from loam.agents where tenant_id = ${tenantId} and key = ${agentKey}`
}

async function takeRun(
  database: postgres.Sql,
  queue: Queue<BareJob>,
  request: IncomingMessage,
  complete: boolean,
) {
  const [, agentKey = '', sessionKey = ''] = PATH.exec(request.url ?? '') ?? []
  const { runId, userId, status } = JSON.parse(await text(request)) as RunBody
  const run = { id: uuid(), eventId: uuid() }
  const job = await database.begin(async (transaction) => {
    const [session] = await transaction<SessionRow[]>`
      select s.id, s.agent_id as "agentId", s.last_sequence as "lastSequence" from loam.sessions s
      join loam.agents a on a.tenant_id = s.tenant_id and a.id = s.agent_id
      where a.tenant_id = ${tenantId} and a.key = ${agentKey} and s.key = ${sessionKey} and s.user_id = ${userId}
      for no key update of s`
    if (!session) throw new Error(`There is no session ${sessionKey}.`)
    const { id: sessionId, agentId, lastSequence } = session
    const payload = { runId: run.id, sessionId, lastSequence }
    const deliveryId = uuid()
    await transaction`insert into loam.runs (tenant_id, id, session_id, user_id, run_id, status, last_sequence, event_id)
      values (${tenantId}, ${run.id}, ${sessionId}, ${userId}, ${runId}, ${status}, ${lastSequence}, ${run.eventId})`
    await transaction`insert into loam.events (tenant_id, id, agent_id, user_id, session_id, type, payload, occurred_at)
      values (${tenantId}, ${run.eventId}, ${agentId}, ${userId}, ${sessionId}, 'run.completed', ${transaction.json(payload)}, now())`
    await transaction`insert into loam.deliveries (tenant_id, id, event_id, user_id, consumer, ordering_key, state, attempt, run_after, lease_until)
      values (${tenantId}, ${deliveryId}, ${run.eventId}, ${userId}, ${CONSUMER}, ${sessionId}, ${complete ? 'pending' : 'sent'},
        ${complete ? 0 : 1}, now(), ${complete ? null : leaseEnd()})`
    return { deliveryId, agentId, userId, sessionId, lastSequence, runId: run.id }
  })
  if (complete) {
    await database`update loam.deliveries set state = 'sent', attempt = attempt + 1, lease_until = ${leaseEnd()}
      where tenant_id = ${tenantId} and id = ${job.deliveryId} and state = 'pending'`
  }
  await queue.add('run', job, { jobId: `${job.deliveryId}-1`, removeOnComplete: true })
  return { runId, eventId: run.eventId }
}

function leaseEnd(): Date {
  return new Date(Date.now() + LEASE_MS)
}

interface SessionRow {
  readonly id: string
  readonly agentId: string
  readonly lastSequence: number
}
