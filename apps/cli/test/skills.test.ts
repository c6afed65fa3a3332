import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { writeSkillArchive } from '@loam/skills'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const KEY = 'a-key-of-sixteen-characters-or-more'
const skillFile = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# How to ${name}\n`

async function writeSkill(folder: string, slug: string, content: string): Promise<string> {
  await mkdir(join(folder, slug), { recursive: true })
  await writeFile(join(folder, slug, 'SKILL.md'), content)
  return join(folder, slug)
}

/** Serves an API with one agent, and gives a way to run commands against it. */
async function withServer(
  use: (
    loam: (...args: readonly string[]) => ReturnType<typeof runLoam>,
    home: string,
  ) => Promise<void>,
): Promise<void> {
  await withHome(async (home) => {
    const settings = {
      LOAM_HOME: home,
      LOAM_DATABASE_URL: 'pglite:memory',
      LOAM_API_KEY: KEY,
      LOAM_PORT: '0',
    }
    await using storage = await createTestStorage()
    await using runtime = await createRuntime(loadConfig(settings, { cwd: home }), { storage })
    await runtime.start()
    await using server = await serveApi({ runtime })
    const loam = (...args: readonly string[]) =>
      runLoam(args, { LOAM_URL: server.url, LOAM_API_KEY: KEY })
    await loam('agent', 'create', 'helper')
    await use(loam, home)
  })
}

const HELPER = ['--agent', 'helper']

describe('loam skills', () => {
  it('stores a folder, grants it, lists, shows and finds it, and takes it back', async () => {
    await withServer(async (loam, home) => {
      expect((await loam('skills', 'list', ...HELPER)).stdout).toContain('There are no skills yet')
      const folder = await writeSkill(home, 'brew', skillFile('brew', 'Brews coffee and tea'))
      const added = await loam('skills', 'add', folder)
      expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('created') })
      expect((await loam('skills', 'add', folder)).stdout).toContain('unchanged')
      const why = await loam('skills', 'why', 'brew', ...HELPER)
      expect(why.stdout).toContain('may not be used: it is internal')
      expect((await loam('skills', 'grant', 'brew', ...HELPER)).stdout).toContain('agent helper')
      expect((await loam('skills', 'list', ...HELPER)).stdout).toMatch(
        /brew {2}managed version 1\n {4}Brews coffee and tea/,
      )
      const shown = await loam('skills', 'show', 'brew', ...HELPER)
      expect(shown.stdout).toContain('# How to brew')
      expect((await loam('skills', 'search', 'coffee', ...HELPER)).stdout).toContain('brew')
      const pinned = async (...options: readonly string[]) => {
        const { stdout } = await loam('skills', 'grant', 'brew', ...HELPER, '--json', ...options)
        return JSON.parse(stdout).pinnedVersion
      }
      expect(await pinned('--pin', '1')).toBe(1)
      expect(await pinned('--no-pin')).toBeUndefined()
      const revoked = await loam('skills', 'revoke', 'brew', ...HELPER)
      expect(revoked.stdout).toContain('Took brew from agent helper')
      expect((await loam('skills', 'revoke', 'brew', ...HELPER)).stdout).toContain('had no grant')
    })
  })

  it('stores a ZIP, and a folder of skills, and says what is odd about them', async () => {
    await withServer(async (loam, home) => {
      const content = new TextEncoder().encode(skillFile('zipped', 'Does it'))
      const archive = await writeSkillArchive('zipped', [{ path: 'SKILL.md', content }])
      await writeFile(join(home, 'skills.zip'), archive)
      const visible = ['--visibility', 'public']
      const zipped = await loam('skills', 'add', join(home, 'skills.zip'), ...visible)
      expect(zipped.code).toBe(0)
      const folder = join(home, 'many')
      await writeSkill(folder, 'one', '---\nname: one\ndescription: a: b\n---\n')
      await writeSkill(folder, 'two', skillFile('two', 'Two'))
      const added = await loam('skills', 'add', folder, ...visible)
      expect(added.stdout).toContain('frontmatter_invalid')
      const { stdout } = await loam('skills', 'list', ...HELPER, '--json')
      const slugs = JSON.parse(stdout).items.map(({ slug }: { slug: string }) => slug)
      expect(slugs).toEqual(['one', 'two', 'zipped'])
    })
  })

  it.each([
    [['add', '/none/such'], 1],
    [['grant', 'brew'], 2],
    [['grant', 'brew', '--agent', 'helper', '--user', 'ana'], 2],
    [['grant', 'none', '--agent', 'helper'], 1],
    [['show', 'none', '--agent', 'helper'], 1],
    [['list'], 2],
  ])('says what is wrong with %j', async (args, code) => {
    await withServer(async (loam) => {
      const ended = await loam('skills', ...args)
      expect(ended.code).toBe(code)
      expect(ended.stderr).not.toBe('')
    })
  })
})

describe('loam skills validate', () => {
  it('looks at a folder without a server', async () => {
    await withHome(async (home) => {
      await writeSkill(home, 'good', skillFile('good', 'Good'))
      const fine = await runLoam(['skills', 'validate', home, '--strict'])
      expect(fine).toMatchObject({ code: 0 })
      const bad = await writeSkill(home, 'bad', 'Only text')
      const warned = await runLoam(['skills', 'validate', home])
      expect(warned.code).toBe(0)
      expect(warned.stdout).toContain('frontmatter_missing')
      expect((await runLoam(['skills', 'validate', bad, '--strict'])).code).toBe(1)
      const { stdout } = await runLoam(['skills', 'validate', bad, '--json'])
      expect(JSON.parse(stdout)).toMatchObject({ valid: true, skills: [{ slug: 'bad' }] })
      await mkdir(join(home, 'broken', 'SKILL.md'), { recursive: true })
      expect((await runLoam(['skills', 'validate', home])).code).toBe(1)
      expect(await readFile(join(bad, 'SKILL.md'), 'utf8')).toBe('Only text')
    })
  })

  it('fails where there is no skill', async () => {
    await withHome(async (home) => {
      const ended = await runLoam(['skills', 'validate', home])
      expect(ended.code).toBe(1)
      expect(ended.stderr).toContain('There is no skill in')
    })
  })
})
