import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startModelServer } from '@loam/models/testing'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const KEY = 'a-key-of-sixteen-characters-or-more'
const file = (name: string, text: string) => `<file name="${name}">\n${text}\n</file>\n`
const ANSWER = `<frontmatter>Reviews Rust.</frontmatter>
${file('SOUL.md', 'Sarcastic.')}${file('IDENTITY.md', '- **Name:** Ferris')}${file('AGENTS.md', 'Review.')}`

/** Serves an API with a model, and gives a way to run commands against it. */
async function withServer(
  use: (
    loam: (...args: readonly string[]) => ReturnType<typeof runLoam>,
    home: string,
    url: string,
  ) => Promise<void>,
  answer: string | null = ANSWER,
): Promise<void> {
  await withHome(async (home) => {
    await using models = await startModelServer({ chat: () => answer ?? '' })
    const settings = {
      LOAM_HOME: home,
      LOAM_DATABASE_URL: 'pglite:memory',
      LOAM_API_KEY: KEY,
      LOAM_PORT: '0',
      ...(answer !== null && {
        LOAM_MODEL_BASE_URL: models.baseUrl,
        LOAM_CHAT_MODEL: 'scripted',
      }),
    }
    await using storage = await createTestStorage()
    await using runtime = await createRuntime(loadConfig(settings, { cwd: home }), { storage })
    await runtime.start()
    await using server = await serveApi({ runtime })
    const env = { LOAM_URL: server.url, LOAM_API_KEY: KEY }
    await use((...args) => runLoam(args, env), home, server.url)
  })
}

const REVIEWER = ['--type', 'predefined', '--description', 'A sarcastic Rust reviewer']

describe('loam agent', () => {
  it('makes an agent, has its files written, lists and shows it', async () => {
    await withServer(async (loam) => {
      expect((await loam('agent', 'list')).stdout).toContain('There are no agents')
      const made = await loam('agent', 'create', 'reviewer', ...REVIEWER, '--wait')
      expect(made.code).toBe(0)
      expect(made.stdout).toContain('A model wrote 3 files; the others stay as they were.')
      expect(made.stdout).toContain('TOOLS.md  kept: The model did not write it.')
      const listed = await loam('agent', 'list')
      expect(listed.stdout).toMatch(/reviewer {2}Ferris {2}predefined\n {4}Reviews Rust\./)
      const shown = await loam('agent', 'show', 'reviewer')
      expect(shown.stdout).toMatch(/SOUL\.md +11 characters {2}agent {2}version 2/)
      const json = JSON.parse((await loam('agent', 'show', 'reviewer', '--json')).stdout)
      expect(json).toMatchObject({
        agent: { key: 'reviewer', status: 'active' },
        summon: { state: 'partial' },
      })
      const twice = await loam('agent', 'create', 'reviewer')
      expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('conflict')])
    })
  })

  it('has the files changed by an instruction, and says when there is nothing to cancel', async () => {
    await withServer(async (loam, home) => {
      await loam('agent', 'create', 'reviewer', ...REVIEWER, '--no-summon')
      const summoned = await loam('agent', 'summon', 'reviewer', '--json')
      expect(JSON.parse(summoned.stdout)).toMatchObject({ summon: { state: 'partial' } })
      const changed = await loam('agent', 'summon', 'reviewer', '--instruction', 'Be kinder')
      expect(changed.stdout).toContain('A model wrote 3 files.')
      await writeFile(join(home, 'tools.md'), 'clippy')
      await loam('files', 'put', 'TOOLS.md', join(home, 'tools.md'), '--agent', 'reviewer')
      const idle = await loam('agent', 'summon', 'reviewer', '--wait')
      expect([idle.code, idle.stdout]).toEqual([
        0,
        expect.stringContaining('There was nothing to write'),
      ])
      const begun = await loam('agent', 'summon', 'reviewer', '--no-wait')
      expect(begun.stdout).toContain('"loam agent show reviewer" tells how it stands.')
      await loam('agent', 'summon', 'reviewer', '--cancel')
      const cancelled = await loam('agent', 'summon', 'reviewer', '--cancel')
      expect([cancelled.code, cancelled.stderr]).toEqual([1, expect.stringContaining('conflict')])
    })
  })

  it('says that there is no model, and that the templates stay', async () => {
    await withServer(async (loam) => {
      const made = await loam('agent', 'create', 'reviewer', ...REVIEWER)
      expect(made.stderr).toContain('No chat model is configured')
      const summoned = await loam('agent', 'summon', 'reviewer')
      expect(summoned.stdout).toContain('The model wrote no files')
      expect(summoned.stdout).toContain('no_model')
      expect([summoned.code, summoned.stderr]).toEqual([
        1,
        expect.stringContaining('loam agent show reviewer'),
      ])
    }, null)
  })
})

describe('loam files', () => {
  it('lists, writes, prints and edits them', async () => {
    await withServer(async (loam, home) => {
      await loam('agent', 'create', 'helper')
      const mine = ['--agent', 'helper', '--user', 'ana']
      expect((await loam('files', 'list', ...mine)).stdout).toContain('There are no files yet')
      await writeFile(join(home, 'soul.md'), 'Calm 🦆.')
      const written = await loam('files', 'put', 'SOUL.md', join(home, 'soul.md'), ...mine)
      expect([written.code, written.stdout]).toEqual([0, 'Wrote SOUL.md.\n'])
      expect((await loam('files', 'get', 'SOUL.md', ...mine)).stdout).toBe('Calm 🦆.')
      expect((await loam('files', 'list', ...mine)).stdout).toMatch(
        /SOUL\.md +8 characters {2}user/,
      )

      await writeFile(join(home, 'editor.sh'), 'printf " And dry." >> "$1"')
      process.env['EDITOR'] = `sh ${join(home, 'editor.sh')}`
      delete process.env['VISUAL']
      expect((await loam('files', 'edit', 'SOUL.md', ...mine)).stdout).toBe('Wrote SOUL.md.\n')
      expect((await loam('files', 'get', 'SOUL.md', ...mine)).stdout).toBe('Calm 🦆. And dry.')
      process.env['EDITOR'] = 'true'
      expect((await loam('files', 'edit', 'SOUL.md', ...mine)).stdout).toBe(
        'Nothing was changed.\n',
      )
      process.env['EDITOR'] = 'false'
      const failed = await loam('files', 'edit', 'SOUL.md', ...mine)
      expect([failed.code, failed.stderr]).toEqual([
        1,
        expect.stringContaining('nothing was written'),
      ])
      delete process.env['EDITOR']
      expect((await loam('files', 'edit', 'SOUL.md', ...mine)).stderr).toContain('VISUAL or EDITOR')
    })
  })

  it('leaves what somebody writes while the editor is open, and keeps the text of the editor', async () => {
    await withServer(async (loam, home, url) => {
      await loam('agent', 'create', 'helper')
      const own = ['--agent', 'helper']
      await writeFile(join(home, 'soul.md'), 'Calm.')
      await loam('files', 'put', 'SOUL.md', join(home, 'soul.md'), ...own)
      const meanwhile = {
        method: 'PUT',
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: 'Theirs.' }),
      }
      const place = JSON.stringify(`${url}/v1/agents/helper/files/SOUL.md`)
      await writeFile(
        join(home, 'editor.mjs'),
        `import { writeFileSync } from 'node:fs'
        await fetch(${place}, ${JSON.stringify(meanwhile)})
        writeFileSync(process.argv[2], 'Mine.')`,
      )
      process.env['EDITOR'] = `node ${join(home, 'editor.mjs')}`
      const edited = await loam('files', 'edit', 'SOUL.md', ...own)
      delete process.env['EDITOR']
      expect([edited.code, edited.stderr]).toEqual([
        1,
        expect.stringContaining('Read it again, and edit that.'),
      ])
      expect((await loam('files', 'get', 'SOUL.md', ...own)).stdout).toBe('Theirs.')
      const kept = /Your text is kept in (.+)\.\n/.exec(edited.stderr)?.[1] ?? ''
      expect(await readFile(kept, 'utf8')).toBe('Mine.')
      await rm(dirname(kept), { recursive: true })
    })
  })

  it('refuses what is no context file, or no text', async () => {
    await withServer(async (loam, home) => {
      await loam('agent', 'create', 'helper')
      const own = ['--agent', 'helper']
      await writeFile(join(home, 'bytes'), Buffer.from([0xff, 0xfe]))
      const bytes = await loam('files', 'put', 'SOUL.md', join(home, 'bytes'), ...own)
      expect([bytes.code, bytes.stderr]).toEqual([1, expect.stringContaining('is not UTF-8 text')])
      const unknown = await loam('files', 'get', 'soul.md', ...own)
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringContaining('no context file'),
      ])
      const missing = await loam('files', 'put', 'SOUL.md', join(home, 'nothing'), ...own)
      expect([missing.code, missing.stderr]).toEqual([
        1,
        `error: There is no file "${join(home, 'nothing')}". Check the path. (not_found)\n`,
      ])
      const folder = await loam('files', 'put', 'SOUL.md', home, ...own)
      expect([folder.code, folder.stderr]).toEqual([1, expect.stringContaining('is a folder')])
    })
  })

  it('speaks of commands and options where something is wrong', async () => {
    await withServer(async (loam, home) => {
      await loam('agent', 'create', 'helper')
      await writeFile(join(home, 'soul.md'), 'x')
      const put = ['files', 'put', 'SOUL.md', join(home, 'soul.md')]
      for (const [args, words] of [
        [['files', 'list', '--agent', 'nobody'], 'Make one with "loam agent create <key>".'],
        [['files', 'get', 'SOUL.md', '--agent', 'helper'], 'Write one with "loam files put".'],
        [[...put, '--agent', 'helper', '--user', 'group:7'], '(--sender)'],
        [['prompt', '--agent', 'helper', '--user', '..'], '--user: May not be'],
        [
          ['agent', 'create', 'other', '--name', 'x'.repeat(201)],
          '--name: May have 200 characters',
        ],
        [['agent', 'summon', 'helper', '--instruction', 'x'], 'is open'],
      ] as const) {
        const { code, stderr } = await loam(...args)
        expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
        expect(stderr).not.toMatch(/userId|senderId|displayName|POST|PUT|GET|\bbody\b/)
      }
    })
  })

  it('tells of a user’s files before the first conversation that they are the agent’s', async () => {
    await withServer(async (loam) => {
      await loam('agent', 'create', 'reviewer', ...REVIEWER, '--no-summon')
      const listed = await loam('files', 'list', '--agent', 'reviewer', '--user', 'ana')
      expect(listed.stdout).toMatch(/SOUL\.md .* agent/)
      expect(listed.stderr).toContain('ana has no files of their own yet')
    })
  })
})

describe('loam prompt', () => {
  it('prints the prompt, or a table of its sections, and changes nothing', async () => {
    await withServer(async (loam) => {
      await loam('agent', 'create', 'helper')
      const ana = ['--agent', 'helper', '--user', 'ana']
      expect((await loam('prompt', ...ana)).stdout).toContain('<context_file name="BOOTSTRAP.md">')
      const table = await loam('prompt', ...ana, '--sections')
      expect(table.stdout).toMatch(/^id +title +characters +~tokens +half\n1 +Identity/)
      expect(table.stdout).toMatch(/mode full, first meeting/)
      const json = JSON.parse((await loam('prompt', ...ana, '--mode', 'minimal', '--json')).stdout)
      expect(json).toMatchObject({ mode: 'minimal', firstRun: true })
      expect((await loam('files', 'list', ...ana)).stdout).toContain('There are no files yet')
      expect((await loam('prompt', ...ana, '--mode', 'all')).code).toBe(2)
    })
  })

  it('warns of what was cut', async () => {
    await withServer(async (loam, home) => {
      await loam('agent', 'create', 'helper')
      await writeFile(join(home, 'long.md'), 'x'.repeat(30_000))
      await loam('files', 'put', 'SOUL.md', join(home, 'long.md'), '--agent', 'helper')
      expect((await loam('prompt', '--agent', 'helper')).stderr).toContain('SOUL.md was cut')
    })
  })
})
