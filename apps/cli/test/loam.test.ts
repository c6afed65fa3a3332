import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture } from './importers/read-file.js'
import { ended, firstLine, runLoam, startLoam, withHome } from './run-loam.js'

const EXPORT = fixture('chatgpt-conversations.json')
const asTove = ['--agent', 'assistant', '--user', 'tove', '--json']

describe('loam', () => {
  it('imports an export and finds what was said, in one store after the other', async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home }
      const imported = await runLoam(['import', EXPORT, ...asTove], env)
      expect(imported).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(imported.stdout)).toMatchObject({
        ...{ format: 'chatgpt', agentCreated: true, stored: 15, duplicates: 0, badCount: 0 },
      })

      const found = await runLoam(['search', 'which apple keeps', ...asTove], env)
      expect(found.code).toBe(0)
      const { results } = JSON.parse(found.stdout) as { results: readonly { messageId: string }[] }
      expect(results.slice(0, 2).map(({ messageId }) => messageId)).toContain('a1')

      const readable = await runLoam(
        ['search', 'Boskoop', '--agent', 'assistant', '--user', 'tove', '--explain'],
        env,
      )
      expect(readable.stdout).toMatch(/1\. 1\.00 .*chatgpt:.*#\d+\n.*Boskoop.*\n.*why: .*words/)
    })
  })

  it('goes through the server that runs on the folder, and finds a closed store afterwards', async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home, LOAM_PORT: '0', LOAM_LOG_LEVEL: 'warn' }
      const server = startLoam(['serve', '--json'], env)
      const end = ended(server)
      const { url, apiKey } = JSON.parse(await firstLine(server)) as Record<string, string>
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await readFile(join(home, 'api-key'), 'utf8')).trim()).toBe(apiKey)

      const imported = await runLoam(['import', EXPORT, ...asTove], env)
      expect(JSON.parse(imported.stdout)).toMatchObject({ stored: 15 })
      const doctor = await runLoam(['doctor', '--json'], env)
      expect(doctor.code).toBe(0)
      expect(doctor.stdout).toContain(`the server at ${url}`)
      expect(doctor.stdout).not.toContain(apiKey)

      // A command that must open the store itself is refused, as long as the server holds it.
      const refused = await runLoam(['spaces', 'list', '--json'], env)
      expect(refused.code).toBe(1)
      expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'store_in_use' } })
      expect(refused.stdout).toContain(String(server.pid))

      server.kill('SIGTERM')
      expect(await end).toMatchObject({ code: 0 })
      const found = await runLoam(['search', 'canker', ...asTove], env)
      expect(JSON.parse(found.stdout)).toMatchObject({ count: expect.any(Number) as number })
      const spaces = await runLoam(['spaces', 'index', '--json'], env)
      expect(spaces).toMatchObject({ code: 0 })
    })
  })

  it('shows the whole loop in a demo', async () => {
    const demo = await runLoam(['demo'])
    expect(demo.stdout).toContain('All of it worked.')
    expect(demo.code).toBe(0)
  })

  it.each([
    ['locomo.json', 'What broke in the storm?'],
    ['chatgpt-conversations.json', 'What was said about'],
  ])('asks about %s in a demo', async (name, question) => {
    const demo = await runLoam(['demo', fixture(name), '--json'])
    const report = JSON.parse(demo.stdout) as { answers: readonly { question: string }[] }
    expect(report.answers.map((answer) => answer.question).join('\n')).toContain(question)
  })

  it('says what a database is and that it is migrated', async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home }
      const migrated = await runLoam(['migrate', '--json'], env)
      expect(JSON.parse(migrated.stdout)).toMatchObject({ from: 0 })
      const status = await runLoam(['migrate', '--status', '--json'], env)
      const { schemaVersion, expectedSchemaVersion } = JSON.parse(status.stdout) as {
        schemaVersion: number
        expectedSchemaVersion: number
      }
      expect(schemaVersion).toBe(expectedSchemaVersion)
      const doctor = await runLoam(['doctor'], env)
      expect(doctor.code).toBe(0)
      expect(doctor.stdout).toMatch(/meaning in English only/)
    })
  })

  it.each([
    [['search', 'x'], 2, "required option '--agent <key>' not specified"],
    [['serch'], 2, 'Did you mean search?'],
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

  it("gives the API's own words for an unknown agent, a missing user, and a wrong key", async () => {
    await withHome(async (home) => {
      const env = { LOAM_HOME: home, LOAM_PORT: '0', LOAM_LOG_LEVEL: 'silent' }
      const server = startLoam(['serve', '--json'], env)
      const end = ended(server)
      await firstLine(server)
      const codeOf = async (...args: readonly string[]) => {
        const { code, stdout } = await runLoam([...args, '--json'], env)
        expect(code).toBe(1)
        return (JSON.parse(stdout) as { error: { code: string } }).error.code
      }
      expect(await codeOf('search', 'x', '--agent', 'nobody', '--user', 'u')).toBe('not_found')
      expect(await codeOf('search', 'x', '--agent', 'nobody')).toBe('invalid_input')
      expect(
        await codeOf('search', 'x', '--agent', 'a', '--user', 'u', '--api-key', 'k'.repeat(20)),
      ).toBe('unauthenticated')
      server.kill('SIGINT')
      expect(await end).toMatchObject({ code: 0 })
    })
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
    })
  })

  it('refuses a configuration with its faults', async () => {
    const { code, stderr } = await runLoam(['doctor'], { LOAM_PORT: 'x', LOAM_PROT: '1' })
    expect(code).toBe(1)
    expect(stderr).toContain('LOAM_PORT')
    expect(stderr).toContain('LOAM_PROT')
  })

  it.each(['serve', 'migrate', 'import', 'search', 'doctor', 'spaces index', 'demo'])(
    'has help with examples for %s',
    async (command) => {
      const { code, stdout } = await runLoam([...command.split(' '), '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain(`$ loam ${command}`)
      expect(stdout).toContain('--json')
    },
  )
})
