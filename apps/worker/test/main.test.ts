import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createTestDatabase, postgresTestUrl } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const databaseServer = postgresTestUrl()
const redisUrl = process.env['LOAM_TEST_REDIS_URL']

function startWorker(settings: Readonly<Record<string, string>>): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LOAM_'))
  return spawn(process.execPath, ['--import', 'tsx', '--conditions=@loam/source', main], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...Object.fromEntries(own), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of stream ?? []) chunks.push(String(chunk))
  return chunks.join('')
}

interface LogLine {
  readonly msg: string
  readonly url?: string
}

async function* logOf(worker: ChildProcess): AsyncGenerator<LogLine> {
  if (worker.stdout === null) return
  for await (const line of createInterface({ input: worker.stdout })) {
    yield JSON.parse(line) as LogLine
  }
}

describe('the worker process', () => {
  it.skipIf(databaseServer === undefined || redisUrl === undefined)(
    'answers health checks until it is told to stop',
    async () => {
      const database = await createTestDatabase(databaseServer ?? '')
      const worker = startWorker({
        LOAM_DATABASE_URL: database.url,
        LOAM_REDIS_URL: redisUrl ?? '',
        LOAM_QUEUE_PREFIX: `test-${process.pid}`,
      })
      const exited = once(worker, 'exit')
      const lines: LogLine[] = []
      for await (const line of logOf(worker)) {
        lines.push(line)
        if (line.url === undefined) continue
        const ready = await fetch(`${line.url}/health/ready`)
        expect(await ready.json()).toMatchObject({ status: 'ok' })
        expect((await fetch(`${line.url}/v1/agents`)).status).toBe(404)
        worker.kill('SIGTERM')
      }
      expect(await exited).toStrictEqual([0, null])
      const messages = lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('worker-'))
      expect(messages).toStrictEqual(['worker-ready', 'worker-draining', 'worker-stopped'])
      await database.drop()
    },
  )

  it.skipIf(databaseServer === undefined)(
    'says that it has no queue, and where it keeps what',
    async () => {
      const database = await createTestDatabase(databaseServer ?? '')
      const worker = startWorker({ LOAM_DATABASE_URL: database.url })
      const exited = once(worker, 'exit')
      const said: string[] = []
      for await (const line of logOf(worker)) {
        said.push(JSON.stringify(line))
        if (line.msg.includes('LOAM_REDIS_URL')) worker.kill('SIGTERM')
      }
      expect(await exited).toStrictEqual([0, null])
      expect(said.join('\n')).toContain('Postgres at postgres://')
      expect(said.join('\n')).not.toContain(new URL(database.url).password)
      await database.drop()
    },
  )

  it('says in one line why it cannot start', async () => {
    const worker = startWorker({ LOAM_DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:9/loam' })
    const [[code], stderr] = await Promise.all([once(worker, 'exit'), textOf(worker.stderr)])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^loam-worker: The database cannot be reached .*\(storage_unavailable\)\n$/,
    )
    expect(stderr).not.toContain('hunter2')
  })

  it('says what it needs where the store is embedded', async () => {
    const worker = startWorker({})
    const [[code], stderr] = await Promise.all([once(worker, 'exit'), textOf(worker.stderr)])
    expect(code).toBe(1)
    expect(stderr).toContain('LOAM_DATABASE_URL')
  })

  it('names every faulty variable and ends', async () => {
    const worker = startWorker({ LOAM_WORKER_CONCURRENCY: 'many', LOAM_LEASE_MS: '1' })
    const [[code], stderr] = await Promise.all([once(worker, 'exit'), textOf(worker.stderr)])
    expect(code).toBe(1)
    for (const name of ['LOAM_WORKER_CONCURRENCY', 'LOAM_LEASE_MS']) expect(stderr).toContain(name)
  })
})
