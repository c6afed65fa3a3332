import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSkillCatalog,
  readSkillFolder,
  resolveTiers,
  SKILL_SOURCES,
  type SkillCatalogOptions,
  type SkillSource,
} from '../../src/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-tiers-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function write(path: string, name: string, body = 'Steps'): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  const text = `---\nname: ${name}\ndescription: d\n---\n${body}`
  await writeFile(join(folder, path, 'SKILL.md'), text)
}
const open = (options: Partial<Record<keyof SkillCatalogOptions, string>>) =>
  createSkillCatalog(
    Object.fromEntries(Object.entries(options).map(([key, path]) => [key, join(folder, path)])),
  )
const ALL = { workspace: 'work', personal: 'home', managed: 'store', global: 'all', builtin: 'app' }
/** Where each source has the skill `pdf`. */
const PLACES: Readonly<Record<SkillSource, string>> = {
  workspace: 'work/skills/pdf',
  'agents-project': 'work/.agents/skills/pdf',
  'agents-personal': 'home/pdf',
  managed: 'store/pdf/1',
  global: 'all/pdf',
  builtin: 'app/pdf',
}

describe('4.1 tiers', () => {
  it.each(SKILL_SOURCES)('%s: its location alone', async (source) => {
    await write(PLACES[source], source)
    expect(await open(ALL).list()).toMatchObject([
      {
        slug: 'pdf',
        source,
        name: source,
        baseDir: join(folder, PLACES[source]),
        location: join(folder, PLACES[source], 'SKILL.md'),
      },
    ])
  })

  it.each(
    SKILL_SOURCES.flatMap((high, rank) =>
      SKILL_SOURCES.slice(rank + 1).map((low) => [high, low] as const),
    ),
  )('with the same slug, %s hides %s', async (high, low) => {
    await write(PLACES[low], low)
    await write(PLACES[high], high)
    const catalog = open(ALL)
    expect(await catalog.list()).toMatchObject([{ source: high, name: high }])
    expect(await catalog.find('pdf')).toMatchObject({ source: high })
    expect(await catalog.load('pdf')).toMatchObject({ name: high })
    expect(await catalog.listAll()).toMatchObject([{ source: high }, { source: low }])
  })

  it('identity is the directory name, not the frontmatter name', async () => {
    await write('work/skills/one', 'pdf')
    await write('all/pdf', 'one')
    const skills = await open(ALL).list()
    expect(skills.map(({ slug, name }) => [slug, name])).toEqual([
      ['one', 'pdf'],
      ['pdf', 'one'],
    ])
  })

  it('a switched off tier is not looked at', async () => {
    await write(PLACES['agents-personal'], 'personal')
    const { personal: _personal, ...others } = ALL
    expect(await open(others).list()).toEqual([])
  })

  it('two versions: the newer name, source managed', async () => {
    await write('store/pdf/1', 'old')
    await write('store/pdf/2', 'new')
    expect(await open(ALL).list()).toMatchObject([{ name: 'new', source: 'managed', version: 2 }])
  })

  it('no skills: an empty list; unknown slug: not found', async () => {
    const catalog = open(ALL)
    expect(await catalog.list()).toEqual([])
    expect(await catalog.listAll()).toEqual([])
    expect(await catalog.warnings()).toEqual([])
    expect(await catalog.find('pdf')).toBeUndefined()
    expect(await catalog.load('pdf')).toBeUndefined()
    expect(await catalog.loadForContext(null)).toBe('')
  })

  it('a path that is not absolute is one from the working directory', async () => {
    await write('all/pdf', 'pdf')
    const catalog = createSkillCatalog({ global: relative(process.cwd(), join(folder, 'all')) })
    expect(await catalog.list()).toMatchObject([{ baseDir: join(folder, 'all', 'pdf') }])
  })
})

const managed = () =>
  readSkillFolder({ source: 'managed', root: join(folder, 'store'), versioned: true })

describe('versions of a managed skill', () => {
  it.each([
    [['2', '10'], 10],
    [['9', '10', '100'], 100],
    [['1', 'latest', 'v2', '3.0', '-4', '05', '6x', ' 7'], 1],
    [['999999999', '1'], 999_999_999],
    [['1', '9999999999'], 1],
  ])('of %j the highest number wins', async (versions, version) => {
    for (const name of versions) await write(join('store', 'pdf', name), `of ${name}`)
    expect((await managed()).skills).toMatchObject([
      { slug: 'pdf', version, name: `of ${version}` },
    ])
  })

  it.each([['latest'], ['0'], ['01'], ['v1']])(
    'none is there in a folder %j alone',
    async (name) => {
      await write(join('store', 'pdf', name), 'x')
      expect(await managed()).toEqual({ skills: [], warnings: [] })
    },
  )

  it.each([
    ['a plain file', (path: string) => writeFile(path, 'x')],
    ['an empty folder', (path: string) => mkdir(path)],
    ['a link to nowhere', (path: string) => symlink(join(folder, 'nowhere'), path)],
    ['a link to itself', (path: string) => symlink(path, path)],
  ])('%s with the highest number hides no version', async (_, make) => {
    await write('store/pdf/2', 'second')
    await write('store/ok/1', 'first')
    await make(join(folder, 'store', 'pdf', '10'))
    const { skills } = await managed()
    expect(skills.map(({ slug, version }) => [slug, version])).toEqual([
      ['ok', 1],
      ['pdf', 2],
    ])
  })

  it('a link to another version is followed, and one that leads out is named', async () => {
    await write('store/pdf/1', 'first')
    await symlink(join(folder, 'store', 'pdf', '1'), join(folder, 'store', 'pdf', '2'))
    expect((await managed()).skills).toMatchObject([{ version: 2, name: 'first' }])
    await write('outside', 'secret')
    await symlink(join(folder, 'outside'), join(folder, 'store', 'pdf', '3'))
    const { skills, warnings } = await managed()
    expect(skills).toEqual([])
    expect(warnings).toMatchObject([{ code: 'path', slug: 'pdf', source: 'managed' }])
  })

  it('a SKILL.md beside the numbers is none', async () => {
    await write('store/pdf', 'unversioned')
    expect(await managed()).toEqual({ skills: [], warnings: [] })
  })

  it('{baseDir} is the folder of the resolved version', async () => {
    await write('store/pdf/9', 'old', '{baseDir}')
    await write('store/pdf/10', 'new', '{baseDir}')
    const loaded = await open(ALL).load('pdf')
    expect(loaded?.text).toBe(join(folder, 'store', 'pdf', '10'))
  })
})

describe('resolveTiers', () => {
  it('keeps the first of one source, and sorts by slug as machines do', () => {
    const skills = [
      { slug: 'b', source: 'global', at: 1 },
      { slug: 'B', source: 'builtin', at: 2 },
      { slug: 'b', source: 'global', at: 3 },
      { slug: 'a', source: 'builtin', at: 4 },
      { slug: 'a', source: 'workspace', at: 5 },
    ] as const
    expect(resolveTiers(skills).map(({ at }) => at)).toEqual([2, 5, 1])
  })
})
