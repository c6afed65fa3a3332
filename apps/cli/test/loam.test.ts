import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture } from './importers/read-file.js'
import { runLoam, withHome } from './run-loam.js'

// Each command boots a database.
const PATIENCE = 240_000
const EXPORT = fixture('chatgpt-conversations.json')
const asTove = ['--agent', 'assistant', '--user', 'tove', '--json']

describe('loam', () => {
  it(
    'imports an export and finds what was said, each command opening the store anew',
    { timeout: PATIENCE },
    async () => {
      await withHome(async (home) => {
        const env = { LOAM_HOME: home, LOAM_LOG_LEVEL: 'error' }
        const imported = await runLoam(['import', EXPORT, ...asTove], env)
        expect(imported).toMatchObject({ code: 0, stderr: '' })
        expect(JSON.parse(imported.stdout)).toMatchObject({
          format: 'chatgpt',
          agentCreated: true,
          stored: 15,
          duplicates: 0,
          badCount: 0,
        })

        const found = await runLoam(['search', 'which apple keeps', ...asTove], env)
        const { results } = JSON.parse(found.stdout) as {
          results: readonly { messageId: string }[]
        }
        expect(results.slice(0, 2).map(({ messageId }) => messageId)).toContain('a1')

        const readable = await runLoam(
          ['search', 'Boskoop', '--agent', 'assistant', '--user', 'tove', '--explain'],
          env,
        )
        expect(readable.code).toBe(0)
        expect(readable.stdout).toMatch(/1\. 1\.00 .*chatgpt:.*#\d+\n.*Boskoop.*\n.*why: .*words/)

        const codeOf = async (...args: readonly string[]) => {
          const { code, stdout } = await runLoam(['search', 'x', ...args, '--json'], env)
          expect(code).toBe(1)
          return (JSON.parse(stdout) as { error: { code: string } }).error.code
        }
        expect(await codeOf('--agent', 'nobody', '--user', 'u')).toBe('not_found')
        expect(await codeOf('--agent', 'assistant')).toBe('invalid_input')
        expect(await codeOf(...asTove, '--api-key', 'k'.repeat(20))).toBe('unauthenticated')
      })
    },
  )

  it('migrates, indexes and examines a store', { timeout: PATIENCE }, async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home }
      const before = await runLoam(['migrate', '--status'], env)
      expect(before).toMatchObject({ code: 1, stderr: '' })
      expect(before.stdout).toContain('there is no schema of Loam in it yet. Run "loam migrate".')
      const migrated = await runLoam(['migrate', '--json'], env)
      expect(JSON.parse(migrated.stdout)).toMatchObject({ from: 0 })
      const status = await runLoam(['migrate', '--status', '--json'], env)
      const { schemaVersion, expectedSchemaVersion } = JSON.parse(status.stdout) as {
        schemaVersion: number
        expectedSchemaVersion: number
      }
      expect(schemaVersion).toBe(expectedSchemaVersion)
      const talk = join(home, 'talk.jsonl')
      await writeFile(talk, '{"role":"user","content":"The ferry leaves at noon."}\n')
      await runLoam(['import', talk, '--agent', 'a', '--user', 'u'], env)
      const doctor = await runLoam(['doctor'], env)
      expect(doctor.stdout).toContain('found by words and by meaning')
      expect(doctor.stdout).toMatch(/meaning in English only/)
      expect(doctor.code).toBe(0)
      const index = await runLoam(['spaces', 'index', '--json'], env)
      expect(index).toMatchObject({ code: 0 })
      const { stdout } = await runLoam(['spaces', 'list'], env)
      expect(stdout).toMatch(/^\d+ {2}.+ dimensions {2}\(active\)\n$/)
    })
  })

  it.each([
    [['search', 'x'], 2, "required option '--agent <key>' not specified"],
    [['serch'], 2, 'Did you mean search?'],
    [['worker', '--concurrency', '0'], 2, '1 to 1000'],
    [['worker'], 1, 'A worker needs a database server'],
    [['dlq', 'replay'], 2, 'give ids, or --consumer, or --all'],
    [['dlq', 'replay', 'x', '--all'], 2, 'give ids, or --consumer, or --all'],
    [['dlq', 'list'], 1, 'There is no Loam in'],
    [['serve', '--port', 'http'], 2, 'whole number'],
    [['import', 'f', '--agent', 'a', '--format', 'xml'], 2, 'Allowed choices'],
    [['import', '/no/such', '--agent', 'a', '--dry-run'], 1, 'There is no file "/no/such"'],
  ])('refuses %j', async (args, code, message) => {
    const plain = await runLoam(args)
    expect(plain).toMatchObject({ code, stdout: '' })
    expect(plain.stderr).toMatch(/^error: /)
    expect(plain.stderr).toContain(message)
    const json = await runLoam([...args, '--json'])
    expect(json).toMatchObject({ code, stderr: '' })
    expect(JSON.parse(json.stdout)).toHaveProperty('error.message')
  })

  it('reads without storing in a dry run, and reports bad lines', async () => {
    await withHome(async (home) => {
      const path = join(home, 'talk.jsonl')
      await writeFile(path, '{"role":"user","content":"hi"}\n{"role":"user"}\n')
      const args = ['import', path, '--agent', 'a', '--user', 'u', '--dry-run']
      const refused = await runLoam(args, { LOAM_HOME: home })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('line 2')
      const skipped = await runLoam([...args, '--skip-bad'], { LOAM_HOME: home })
      expect(skipped.code).toBe(0)
      expect(skipped.stdout).toContain('1 message in 1 session can be stored.')
      expect(skipped.stdout).toContain('line 2: ')
    })
  })

  it.each([['search', 'x', '--agent', 'a', '--user', 'u'], ['doctor']])(
    'makes no store to %s',
    async (...args) => {
      await withHome(async (home) => {
        const { code, stdout, stderr } = await runLoam([...args], { LOAM_HOME: home })
        expect(code).toBe(1)
        expect(stdout + stderr).toContain('There is no Loam in')
        expect(await readdir(home)).toEqual([])
      })
    },
  )

  it('lists every fault of a configuration', async () => {
    const { code, stderr } = await runLoam(['doctor'], { LOAM_PORT: 'x', LOAM_PROT: '1' })
    expect(code).toBe(1)
    expect(stderr).toContain('LOAM_PORT')
    expect(stderr).toContain('LOAM_PROT')
  })

  it.each([
    'http://ana:hunter2@127.0.0.1:9',
    'http://ana:hunt#er2@127.0.0.1:9',
    'ana:hunter2@127.0.0.1:9',
    'http://127.0.0.1:9/?token=hunter2',
  ])('refuses a URL that holds a secret without repeating it', async (url) => {
    const env = { LOAM_URL: url, LOAM_API_KEY: 'k'.repeat(20) }
    const { code, stderr } = await runLoam(['search', 'x', '--agent', 'a', '--user', 'u'], env)
    expect(code).toBe(1)
    expect(stderr).toContain('LOAM_URL')
    expect(stderr).not.toContain('hunt')
  })

  it('says when no server answers at a URL', async () => {
    const env = { LOAM_URL: 'http://127.0.0.1:9', LOAM_API_KEY: 'k'.repeat(20) }
    const { code, stderr } = await runLoam(['search', 'x', '--agent', 'a', '--user', 'u'], env)
    expect(code).toBe(1)
    expect(stderr).toContain('No server answers at http://127.0.0.1:9')
  })

  it.each([
    'serve',
    'worker',
    'migrate',
    'import',
    'search',
    'doctor',
    'dlq list',
    'dlq replay',
    'keys list',
    'keys add',
    'keys revoke',
    'spaces index',
    'demo',
  ])('has help with examples for %s', async (command) => {
    const { code, stdout } = await runLoam([...command.split(' '), '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`$ loam ${command}`)
    expect(stdout).toContain('--json')
  })
})
