import { DEFAULT_TENANT_ID } from '@loam/storage'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../src/index.js'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const script = join(import.meta.dirname, 'embedded-writer.ts')

let parent: string
let folder: string
const started: ChildProcess[] = []

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'loam-embedded-'))
  folder = join(parent, 'store')
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(parent, { recursive: true, force: true })
})

/** Starts a process that writes to the folder, and gathers what it prints. */
function startWriter(first = 1) {
  const child = spawn(
    process.execPath,
    ['--conditions=@loam/source', '--import', tsx, script, folder, String(first)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  started.push(child)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = once(child, 'close')
  return {
    child,
    lines,
    ended,
    async until(enough: () => boolean) {
      while (!enough()) {
        if (child.exitCode !== null) throw new Error(`The writer ended: ${lines.join(', ')}`)
        await Promise.race([once(reader, 'line'), ended])
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    stored: () => lines.flatMap((line) => (line.startsWith('stored ') ? [line.slice(7)] : [])),
  }
}

async function storedPaths(): Promise<readonly string[]> {
  await using storage = await openStorage(`pglite:${folder}`)
  const access = { tenantId: DEFAULT_TENANT_ID, everyUser: true } as const
  return await storage.transaction(access, async ({ agents, documents }) => {
    const agent = await agents.find('agent')
    const paths: string[] = []
    let cursor: string | undefined
    do {
      const page = await documents.list(agent?.id ?? '', { limit: 200, cursor })
      paths.push(...page.items.map(({ path }) => path))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return paths
  })
}

describe('two processes on one folder', () => {
  it('the second is refused while the first lives, and nothing acknowledged is lost when it is killed', async () => {
    const first = startWriter()
    await first.until(() => first.stored().length >= 20)

    const refused = startWriter(500_000)
    await refused.ended
    expect(refused.lines).toHaveLength(1)
    expect(refused.lines[0]).toContain('refused store_in_use')
    expect(refused.lines[0]).toContain(String(first.child.pid))
    expect(refused.lines[0]).toContain(folder)

    await first.kill()
    const acknowledged = first.stored()
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)

    const second = startWriter(acknowledged.length + 2)
    await second.until(() => second.stored().length >= 5)
    await second.kill()

    const paths = await storedPaths()
    expect(paths).toEqual(expect.arrayContaining([...acknowledged, ...second.stored()]))
  }, 240_000)

  it('one alone opens a folder that several start on at once, and it is for the owner only', async () => {
    const writers = [startWriter(1), startWriter(1), startWriter(1)]
    const over = () => writers.filter(({ child }) => child.exitCode !== null)
    while (over().length < 2)
      await Promise.race(
        writers.flatMap((writer) => (over().includes(writer) ? [] : [writer.ended])),
      )
    const winner = writers.find(({ child }) => child.exitCode === null)
    await winner?.until(() => winner.stored().length > 0)
    for (const { lines } of over()) expect(lines).toEqual([expect.stringContaining('store_in_use')])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  }, 240_000)
})
