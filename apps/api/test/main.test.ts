import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const key = 'a-key-of-sixteen-characters-or-more'

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loam-api-'))
})
afterAll(async () => {
  await rm(home, { recursive: true })
})

function startApi(settings: Readonly<Record<string, string>>): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LOAM_'))
  return spawn(process.execPath, ['--import', 'tsx', '--conditions=@loam/source', main], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...Object.fromEntries(own), LOAM_HOME: home, LOAM_PORT: '0', ...settings },
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

async function* logOf(api: ChildProcess): AsyncGenerator<LogLine> {
  if (api.stdout === null) return
  for await (const line of createInterface({ input: api.stdout })) yield JSON.parse(line) as LogLine
}

describe('the API process', () => {
  it('serves from its environment alone until it is told to stop', async () => {
    const api = startApi({ LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: key })
    const exited = once(api, 'exit')
    const lines: LogLine[] = []
    for await (const line of logOf(api)) {
      lines.push(line)
      if (line.url === undefined) continue
      const ready = await fetch(`${line.url}/health/ready`)
      expect(ready.status).toBe(200)
      const agents = await fetch(`${line.url}/v1/agents`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      expect(await agents.json()).toStrictEqual({ items: [] })
      expect(await readdir(home)).toContain('server.json')
      api.kill('SIGTERM')
    }
    expect(await exited).toStrictEqual([0, null])
    expect(lines.map(({ msg }) => msg)).toContain('api-stopped')
    expect(JSON.stringify(lines)).not.toContain(key)
    expect(await readdir(home)).not.toContain('server.json')
  })

  it('names every faulty variable and ends', async () => {
    const api = startApi({ LOAM_PORT: 'eighty', LOAM_LOG_LEVEL: 'loud', LOAM_API_KEY: 'short' })
    const [[code], stderr] = await Promise.all([once(api, 'exit'), textOf(api.stderr)])
    expect(code).toBe(1)
    for (const name of ['LOAM_PORT', 'LOAM_LOG_LEVEL', 'LOAM_API_KEY']) {
      expect(stderr).toContain(name)
    }
  })
})
