import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSkillCatalog, readSkillFolder, type SkillFolder } from '../../src/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-skills-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function write(path: string, name = 'x', body = 'Steps'): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  await writeFile(
    join(folder, path, 'SKILL.md'),
    `---\nname: ${name}\ndescription: d\n---\n${body}`,
  )
}
const read = (options: Partial<SkillFolder> = {}) =>
  readSkillFolder({ source: 'global', root: folder, ...options })
const slugs = async () => (await read()).skills.map(({ slug }) => slug)

describe('the seed’s five tiers', () => {
  it('give each slug to the highest that has it', async () => {
    const places = [
      ['workspace', 'work/skills'],
      ['agents-project', 'work/.agents/skills'],
      ['agents-personal', 'home'],
      ['managed', 'managed'],
      ['global', 'global'],
      ['builtin', 'builtin'],
    ] as const
    const catalog = createSkillCatalog({
      workspace: join(folder, 'work'),
      personal: join(folder, 'home'),
      managed: join(folder, 'managed'),
      global: join(folder, 'global'),
      builtin: join(folder, 'builtin'),
    })
    for (const [source, place] of places.toReversed()) {
      await write(join(place, 'pdf', ...(source === 'managed' ? ['1'] : [])), source)
      await catalog.reload()
      expect(await catalog.list()).toMatchObject([{ slug: 'pdf', source, name: source }])
    }
    expect((await catalog.listAll()).map(({ source }) => source)).toEqual(
      places.map(([source]) => source),
    )
  })

  it('are empty where there are no skills, and have no skill of an unknown slug', async () => {
    const catalog = createSkillCatalog({ global: join(folder, 'none') })
    expect(await catalog.list()).toEqual([])
    expect(await catalog.find('pdf')).toBeUndefined()
    expect(await catalog.load('pdf')).toBeUndefined()
  })
})

describe('a folder of versions', () => {
  it('gives the highest number, and passes over what is none', async () => {
    for (const version of ['9', '10', 'v11', '0', 'draft'])
      await write(join('pdf', version), version)
    await mkdir(join(folder, 'empty'))
    const { skills } = await read({ source: 'managed', versioned: true })
    expect(skills).toMatchObject([{ slug: 'pdf', name: '10', version: 10, source: 'managed' }])
  })
})

describe('readSkillFolder', () => {
  it('knows a skill by its folder, whatever it calls itself', async () => {
    await write('My Skill', 'other')
    const { skills } = await read()
    expect(skills).toMatchObject([
      { slug: 'My Skill', name: 'other', baseDir: join(folder, 'My Skill') },
    ])
  })

  it('passes over plain files, hidden folders and folders without a SKILL.md', async () => {
    await write('good')
    await write('.hidden')
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'SKILL.md'), 'x')
    expect(await slugs()).toEqual(['good'])
    expect((await read()).warnings).toEqual([])
  })

  it('takes skill.md too, with a warning', async () => {
    await mkdir(join(folder, 'small'))
    await writeFile(join(folder, 'small', 'skill.md'), '---\nname: small\ndescription: d\n---\n')
    const { skills } = await read()
    expect(skills[0]?.warnings).toEqual([
      { code: 'format', message: 'The file is skill.md; it has to be SKILL.md.' },
    ])
  })

  it('follows links within the folder, and no others', async () => {
    await write('real')
    const outside = await mkdtemp(join(tmpdir(), 'loam-outside-'))
    await writeFile(join(outside, 'SKILL.md'), 'secret')
    await symlink(join(folder, 'real'), join(folder, 'inside'))
    await symlink(outside, join(folder, 'outside'))
    await symlink(join(folder, 'nowhere'), join(folder, 'broken'))
    await symlink(join(folder, 'loop'), join(folder, 'loop'))
    await mkdir(join(folder, 'file-outside'))
    await symlink(join(outside, 'SKILL.md'), join(folder, 'file-outside', 'SKILL.md'))
    await mkdir(join(folder, 'file-inside'))
    await symlink(join(folder, 'real', 'SKILL.md'), join(folder, 'file-inside', 'SKILL.md'))
    const { skills, warnings } = await read()
    expect(skills.map(({ slug }) => slug)).toEqual(['file-inside', 'inside', 'real'])
    expect(warnings.map(({ slug, code }) => [slug, code])).toEqual([
      ['file-outside', 'path'],
      ['outside', 'path'],
    ])
    await rm(outside, { recursive: true })
  })

  it('waits for no pipe, and names a SKILL.md that is a folder', async () => {
    await mkdir(join(folder, 'pipe'))
    execFileSync('mkfifo', [join(folder, 'pipe', 'SKILL.md')])
    await mkdir(join(folder, 'folder', 'SKILL.md'), { recursive: true })
    await write('good')
    const { skills, warnings } = await read()
    expect(skills.map(({ slug }) => slug)).toEqual(['good'])
    expect(warnings.map(({ slug, code }) => [slug, code])).toEqual([
      ['folder', 'unreadable'],
      ['pipe', 'unreadable'],
    ])
  })
})

describe('a catalog', () => {
  it('fills in the folder of the skill, whatever characters it has', async () => {
    await write("a$&b$1'", 'x', 'Run {baseDir}/a and {baseDir}/b')
    const catalog = createSkillCatalog({ global: folder })
    const path = join(folder, "a$&b$1'")
    expect((await catalog.load("a$&b$1'"))?.text).toBe(`Run ${path}/a and ${path}/b`)
  })

  it('gives the texts of all, of none and of some', async () => {
    await write('one', 'One', 'First')
    await write('two', 'Two', 'Second')
    const catalog = createSkillCatalog({ global: folder })
    expect(await catalog.loadForContext(null)).toBe(
      '### Skill: One\n\nFirst\n\n### Skill: Two\n\nSecond',
    )
    expect(await catalog.loadForContext([])).toBe('')
    expect(await catalog.loadForContext(['two', 'none'])).toBe('### Skill: Two\n\nSecond')
  })

  it('loads nothing through a link that took the place of a skill', async () => {
    await write('pdf')
    const catalog = createSkillCatalog({ global: folder })
    await catalog.list()
    const outside = await mkdtemp(join(tmpdir(), 'loam-outside-'))
    await writeFile(join(outside, 'SKILL.md'), 'secret')
    await rm(join(folder, 'pdf'), { recursive: true })
    await symlink(outside, join(folder, 'pdf'))
    expect(await catalog.load('pdf')).toBeUndefined()
    await rm(outside, { recursive: true })
  })
})
