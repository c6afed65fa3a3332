import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createApiClient } from '../src/api/api-client.js'
import { ApiError } from '../src/api/api-error.js'
import { firstSteps } from '../src/commands/serve.js'
import { ended, firstLine, runLoam, startLoam, withHome } from './run-loam.js'

// Several processes start here, and each of them boots a database.
const PATIENCE = 300_000
const LINES = 1500

describe('loam serve', () => {
  it(
    'holds the store, so that other commands go through it; an import that is killed is completed by the next',
    async () => {
      await withHome(async (home) => {
        const env = { LOAM_HOME: home, LOAM_PORT: '0', LOAM_LOG_LEVEL: 'error' }
        const server = startLoam(['serve', '--json'], env)
        try {
          const end = ended(server)
          const { url = '', apiKey = '' } = JSON.parse(await firstLine(server)) as {
            url?: string
            apiKey?: string
          }
          expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
          expect((await readFile(join(home, 'api-key'), 'utf8')).trim()).toBe(apiKey)
          await pasteFirstSteps(url, apiKey)
          await killImportAndRepeat(home, env, { url, apiKey })

          const doctor = await runLoam(['doctor'], env)
          expect(doctor.code).toBe(0)
          expect(doctor.stdout).toContain(`the server at ${url}`)
          expect(doctor.stdout).not.toContain(apiKey)

          const refused = await runLoam(['spaces', 'list', '--json'], env)
          expect(refused.code).toBe(1)
          expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'store_in_use' } })
          expect(refused.stdout).toContain(String(server.pid))

          server.kill('SIGTERM')
          expect(await end).toMatchObject({ code: 0 })
        } finally {
          server.kill('SIGKILL')
        }
      })
    },
    PATIENCE,
  )
})

describe('loam', () => {
  it('ends quietly when nobody reads what it prints', async () => {
    const help = startLoam(['--help'])
    const end = ended(help)
    help.stdout?.destroy()
    expect(await end).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('loam demo', () => {
  it(
    'shows the whole loop on its example',
    async () => {
      const { code, stdout } = await ended(startLoam(['demo']))
      expect(stdout).toContain('All of it worked.')
      expect(stdout).toContain('Ninety euros')
      expect(code).toBe(0)
    },
    PATIENCE,
  )
})

/** The lines that `loam serve` prints work in a shell, and do no harm when they are pasted again. */
async function pasteFirstSteps(url: string, apiKey: string): Promise<void> {
  const [makeAgent = '', storeMessages = '', search = ''] = firstSteps(url, apiKey)
  expect(await paste(makeAgent)).toMatchObject({ key: 'assistant' })
  expect(await paste(storeMessages)).toMatchObject({ stored: 2 })
  expect(await paste(search)).toMatchObject({
    results: [{ text: expect.stringContaining('allergic to peanuts') as string }, {}],
  })
  expect(await paste(makeAgent)).toMatchObject({ code: 'conflict' })
  expect(await paste(storeMessages)).toMatchObject({ stored: 0, duplicates: 2 })
}

async function paste(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  return JSON.parse(stdout) as Record<string, unknown>
}

async function killImportAndRepeat(
  home: string,
  env: Readonly<Record<string, string>>,
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
): Promise<void> {
  const talk = join(home, 'talk.jsonl')
  const lines = Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({ role: 'user', content: `Line ${index} of a long talk about ferries.` }),
  )
  await writeFile(talk, lines.join('\n'))
  const args = ['import', talk, '--agent', 'assistant', '--user', 'u', '--session', 's', '--json']
  const killed = startLoam(args, env)
  const end = ended(killed)
  const client = createApiClient({
    apiKey,
    send: async (path, init) => await fetch(url + path, init),
  })
  const stored = async () => {
    const path = '/v1/agents/assistant/sessions/s?userId=u'
    try {
      return (await client.get<{ readonly lastSequence: number }>(path)).lastSequence
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return 0
      throw error
    }
  }
  while ((await stored()) === 0) await delay(20)
  killed.kill('SIGKILL')
  await end

  const again = await runLoam(args, env)
  expect(again.code).toBe(0)
  const summary = JSON.parse(again.stdout) as { stored: number; duplicates: number }
  expect(summary.duplicates).toBeGreaterThan(0)
  expect(summary.stored + summary.duplicates).toBe(LINES)
  expect(await stored()).toBe(LINES)
}
