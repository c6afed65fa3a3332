import { execFileSync } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSkillCatalog, readSkillFolder } from '../../src/index.js'

let folder: string
let root: string
let outside: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-odd-'))
  root = join(folder, 'root')
  outside = join(folder, 'outside')
  await write('root/good')
  await write('outside', 'secret')
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function write(path: string, description = 'd'): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  const text = `---\nname: x\ndescription: ${description}\n---\nIn {baseDir}`
  await writeFile(join(folder, path, 'SKILL.md'), text)
}
const read = () => readSkillFolder({ source: 'global', root })
const isDenied = process.getuid?.() !== 0

describe('beside a good skill', () => {
  const cases: readonly (readonly [
    string,
    (path: string) => Promise<unknown>,
    string | undefined,
  ])[] = [
    ['a plain file', (path) => writeFile(path, 'x'), undefined],
    ['an empty folder', (path) => mkdir(path), undefined],
    ['a pipe', async (path) => execFileSync('mkfifo', [path]), undefined],
    ['a link to nowhere', (path) => symlink(join(folder, 'nowhere'), path), undefined],
    ['a link to itself', (path) => symlink(path, path), undefined],
    ['a link to a file', (path) => symlink(join(outside, 'SKILL.md'), path), undefined],
    ['a link to the root', (path) => symlink(root, path), undefined],
    ['a link to a folder outside', (path) => symlink(outside, path), 'path'],
    ['a link to the folder above', (path) => symlink(folder, path), 'path'],
    ['a link by way of an inner folder', (path) => symlink('good/../../outside', path), 'path'],
    [
      'a folder called SKILL.md',
      (path) => mkdir(join(path, 'SKILL.md'), { recursive: true }),
      'unreadable',
    ],
    [
      'a pipe called SKILL.md',
      async (path) => {
        await mkdir(path)
        execFileSync('mkfifo', [join(path, 'SKILL.md')])
      },
      'unreadable',
    ],
    [
      'a SKILL.md that leads out',
      async (path) => {
        await mkdir(path)
        await symlink(join(outside, 'SKILL.md'), join(path, 'SKILL.md'))
      },
      'path',
    ],
    [
      'a SKILL.md that leads to a device',
      async (path) => {
        await mkdir(path)
        await symlink('/dev/zero', join(path, 'SKILL.md'))
      },
      'path',
    ],
    [
      'a SKILL.md that leads to itself',
      async (path) => {
        await mkdir(path)
        await symlink('SKILL.md', join(path, 'SKILL.md'))
      },
      'unreadable',
    ],
    [
      'a SKILL.md that leads to nowhere',
      async (path) => {
        await mkdir(path)
        await symlink('nowhere', join(path, 'SKILL.md'))
      },
      undefined,
    ],
    [
      'a SKILL.md that leads to a folder',
      async (path) => {
        await mkdir(path)
        await symlink(join(root, 'good'), join(path, 'SKILL.md'))
      },
      'unreadable',
    ],
  ]

  it.each(cases)(
    '%s is no skill, and is named where it is meant to be one',
    async (_, make, code) => {
      await make(join(root, 'odd'))
      const { skills, warnings } = await read()
      expect(skills.map(({ slug }) => slug)).toEqual(['good'])
      expect(warnings.map((warning) => [warning.slug, warning.code, warning.source])).toEqual(
        code === undefined ? [] : [['odd', code, 'global']],
      )
      expect(
        JSON.stringify(await createSkillCatalog({ global: root }).loadForContext(null)),
      ).not.toContain('secret')
    },
  )

  it.skipIf(!isDenied)('a file that may not be read is named', async () => {
    await write('root/odd')
    await chmod(join(root, 'odd', 'SKILL.md'), 0)
    const { skills, warnings } = await read()
    expect(skills.map(({ slug }) => slug)).toEqual(['good'])
    expect(warnings).toMatchObject([{ slug: 'odd', code: 'unreadable' }])
  })

  it.each(['.hidden', '.git', '..odd'])('the hidden folder %s is passed over', async (name) => {
    await write(join('root', name))
    expect((await read()).skills.map(({ slug }) => slug)).toEqual(['good'])
  })

  it('an empty SKILL.md is a skill without a description', async () => {
    await mkdir(join(root, 'empty'))
    await writeFile(join(root, 'empty', 'SKILL.md'), '')
    expect((await read()).skills[0]).toMatchObject({
      slug: 'empty',
      name: 'empty',
      description: '',
    })
  })

  it('one of more than is read is cut, and says so', async () => {
    await mkdir(join(root, 'large'))
    await writeFile(
      join(root, 'large', 'SKILL.md'),
      `---\nname: large\n---\n${'a'.repeat(3_000_000)}`,
    )
    const skill = (await read()).skills.find(({ slug }) => slug === 'large')
    expect(skill?.warnings.map(({ code }) => code)).toContain('frontmatter_limit')
  })

  it('a skill within a skill is none', async () => {
    await write('root/good/inner')
    expect((await read()).skills.map(({ slug }) => slug)).toEqual(['good'])
  })
})

describe('the root', () => {
  it.each([
    ['that is missing', async () => rm(root, { recursive: true })],
    ['whose parents are missing', async () => rm(folder, { recursive: true })],
    [
      'that is a plain file',
      async () => {
        await rm(root, { recursive: true })
        await writeFile(root, 'x')
      },
    ],
    [
      'that is a link to nowhere',
      async () => {
        await rm(root, { recursive: true })
        await symlink(join(folder, 'nowhere'), root)
      },
    ],
  ])('%s holds nothing', async (_, make) => {
    await make()
    expect(await read()).toEqual({ skills: [], warnings: [] })
  })

  it('that is a link to itself is named', async () => {
    await rm(root, { recursive: true })
    await symlink(root, root)
    expect(await read()).toMatchObject({
      skills: [],
      warnings: [{ code: 'unreadable', source: 'global', slug: '' }],
    })
  })

  it('can be a link', async () => {
    await rename(root, join(folder, 'real'))
    await symlink(join(folder, 'real'), root)
    expect((await read()).skills).toMatchObject([{ baseDir: join(folder, 'real', 'good') }])
  })
})

describe('links within the root', () => {
  it('to a folder are skills of their own', async () => {
    await symlink('good', join(root, 'also'))
    const { skills } = await read()
    expect(skills.map(({ slug, baseDir }) => [slug, baseDir])).toEqual([
      ['also', join(root, 'good')],
      ['good', join(root, 'good')],
    ])
  })

  it('to a file are listed, and can be loaded too', async () => {
    await mkdir(join(root, 'also'))
    await symlink(join('..', 'good', 'SKILL.md'), join(root, 'also', 'SKILL.md'))
    const catalog = createSkillCatalog({ global: root })
    expect((await catalog.list()).map(({ slug }) => slug)).toEqual(['also', 'good'])
    expect((await catalog.load('also'))?.text).toBe(`In ${join(root, 'also')}`)
  })

  it('are not mistaken for what they lead to when they are read again', async () => {
    await symlink('good', join(root, 'also'))
    const catalog = createSkillCatalog({ global: root })
    const file = join(root, 'good', 'SKILL.md')
    // Files as young as this are read again in any case.
    await expect
      .poll(async () => Date.now() - (await lstat(file)).ctimeMs, { timeout: 10_000 })
      .toBeGreaterThan(2_500)
    for (let round = 0; round < 3; round += 1) {
      await catalog.reload()
      expect((await catalog.list()).map(({ slug }) => slug)).toEqual(['also', 'good'])
      expect(await catalog.warnings()).not.toContainEqual(
        expect.objectContaining({ code: 'shadowed' }),
      )
    }
    await write('root/good', 'new')
    await utimes(file, 1, 1)
    await catalog.reload()
    expect((await catalog.list()).map(({ description }) => description)).toEqual(['new', 'new'])
  })
})

describe('two spellings of one name', () => {
  it('are one slug, and the other is named', async () => {
    await write(join('root', 'größe'.normalize('NFC')))
    await write(join('root', 'größe'.normalize('NFD')))
    const { skills, warnings } = await read()
    // A file system that spells all names alike has but one folder.
    const folders = new Set(skills.map(({ baseDir }) => baseDir)).size + warnings.length
    expect(skills.map(({ slug }) => slug)).toEqual(['good', 'größe'])
    expect(warnings.map(({ code }) => code)).toEqual(folders === 3 ? ['shadowed'] : [])
  })
})
