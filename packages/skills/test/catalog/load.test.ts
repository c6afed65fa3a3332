import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSkillCatalog } from '../../src/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-load-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function write(path: string, name: string, body: string, end = '\n'): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  const text = ['---', `name: ${name}`, 'description: d', '---', body].join(end)
  await writeFile(join(folder, path, 'SKILL.md'), text)
}

describe('4.1 loading one skill', () => {
  it('normalises CRLF and strips the frontmatter', async () => {
    await write('pdf', 'PDF', 'One\r\nTwo', '\r\n')
    const loaded = await createSkillCatalog({ global: folder }).load('pdf')
    expect(loaded).toMatchObject({ slug: 'pdf', name: 'PDF', body: 'One\nTwo', text: 'One\nTwo' })
  })

  it.each([
    ['every one', '{baseDir}/a {baseDir}/b{baseDir}', '@/a @/b@'],
    ['none in other spellings', '{basedir} {{ baseDir }} ${basedir} {baseDir', undefined],
    ['one within more braces', '{{baseDir}} ${baseDir}', '{@} $@'],
    ['none at all', 'Steps', undefined],
  ])('replaces {baseDir}: %s', async (_, body, expected) => {
    await write('pdf', 'PDF', body)
    const loaded = await createSkillCatalog({ global: folder }).load('pdf')
    expect(loaded?.text).toBe((expected ?? body).replaceAll('@', () => join(folder, 'pdf')))
    expect(loaded?.body).toBe(body)
  })

  it.each(['$&', '$1', '$$', "$'", '$`', 'a b', 'größe', '网页', '{baseDir}', '%20'])(
    'replaces {baseDir} by a folder called %j as it is',
    async (slug) => {
      await write(slug, 'x', '[{baseDir}]')
      const loaded = await createSkillCatalog({ global: folder }).load(slug)
      expect(loaded?.text).toBe(`[${join(folder, slug)}]`)
    },
  )

  it('does not replace {baseDir} in the name and the description', async () => {
    await write('pdf', '"{baseDir}"', 'x')
    expect(await createSkillCatalog({ global: folder }).load('pdf')).toMatchObject({
      name: '{baseDir}',
    })
  })

  it('reads the text as it is now, and nothing when it is gone', async () => {
    await write('pdf', 'PDF', 'old')
    const catalog = createSkillCatalog({ global: folder })
    expect((await catalog.load('pdf'))?.text).toBe('old')
    await write('pdf', 'PDF', 'new')
    expect((await catalog.load('pdf'))?.text).toBe('new')
    await rm(join(folder, 'pdf', 'SKILL.md'))
    expect(await catalog.load('pdf')).toBeUndefined()
    expect(await catalog.loadForContext(null)).toBe('')
  })

  it('does not follow a file that has become a link out of the root', async () => {
    await write('root/pdf', 'PDF', 'x')
    await write('outside', 'secret', 'secret')
    const catalog = createSkillCatalog({ global: join(folder, 'root') })
    await catalog.list()
    await rm(join(folder, 'root', 'pdf', 'SKILL.md'))
    await symlink(join(folder, 'outside', 'SKILL.md'), join(folder, 'root', 'pdf', 'SKILL.md'))
    expect(await catalog.load('pdf')).toBeUndefined()
  })
})

describe('4.1 loading several for context', () => {
  const one = '### Skill: One\n\nFirst'
  const two = '### Skill: Two\n\nSecond'

  it.each([
    ['allow list null: all', null, `${one}\n\n${two}`],
    ['empty: nothing', [], ''],
    ['one', ['two'], two],
    ['by slug, in whatever order', ['two', 'one'], `${one}\n\n${two}`],
    ['twice the same', ['one', 'one'], one],
    ['an unknown slug', ['none'], ''],
    ['an unknown slug beside a known one', ['none', 'one'], one],
    ['a name is no slug', ['One'], ''],
    ['__proto__', ['__proto__'], ''],
  ])('%s', async (_, allowList, expected) => {
    await write('one', 'One', '\nFirst\n\n')
    await write('two', 'Two', 'Second')
    expect(await createSkillCatalog({ global: folder }).loadForContext(allowList)).toBe(expected)
  })
})

describe('a catalog', () => {
  it('reads nothing before it is asked, and then once', async () => {
    const catalog = createSkillCatalog({ global: folder })
    expect(catalog.version).toBe(0)
    await Promise.all([catalog.list(), catalog.listAll(), catalog.find('pdf'), catalog.warnings()])
    const { version } = catalog
    expect(version).toBeGreaterThan(0)
    await write('pdf', 'PDF', 'x')
    expect(await catalog.list()).toEqual([])
    expect(catalog.version).toBe(version)
    await catalog.reload()
    expect(await catalog.list()).toHaveLength(1)
    expect(catalog.version).toBeGreaterThan(version)
  })

  it('has every reload seen by whoever called it', async () => {
    const catalog = createSkillCatalog({ global: folder })
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await write(`s${index}`, 'x', 'x')
        await catalog.reload()
        expect(await catalog.find(`s${index}`)).toBeDefined()
      }),
    )
  })

  it('names the warnings of all tiers, with where they are from', async () => {
    await write('all/pdf', 'Other', 'x')
    await write('app/pdf', 'Another', 'x')
    const catalog = createSkillCatalog({
      global: join(folder, 'all'),
      builtin: join(folder, 'app'),
    })
    const warnings = await catalog.warnings()
    expect(new Set(warnings.map(({ source, slug }) => `${source} ${slug}`))).toEqual(
      new Set(['global pdf', 'builtin pdf']),
    )
  })

  it('closes without having watched, and twice', async () => {
    const catalog = createSkillCatalog({ global: folder })
    await catalog.close()
    await catalog.watch()
    await Promise.all([catalog.close(), catalog.close()])
    await catalog.close()
    expect(await catalog.list()).toEqual([])
  })
})
