import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSkillCatalog, type SkillCatalog } from '../../src/index.js'

let folder: string
let catalog: SkillCatalog
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-roots-'))
})
afterEach(async () => {
  await catalog.close()
  await rm(folder, { recursive: true, force: true })
})

const text = (description: string) => `---\nname: x\ndescription: ${description}\n---\n`
async function write(path: string, description: string, name = 'SKILL.md'): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  await writeFile(join(folder, path, name), text(description))
}
const at = (path: string) => join(folder, path)
const described = async () =>
  Object.fromEntries((await catalog.list()).map(({ slug, description }) => [slug, description]))
const soon = { timeout: 5_000, interval: 50 }
async function watch(options: Parameters<typeof createSkillCatalog>[0]): Promise<void> {
  catalog = createSkillCatalog({ debounceMs: 100, ...options })
  await catalog.watch()
}

const file = () => at('root/pdf/SKILL.md')
const handles = () =>
  process.getActiveResourcesInfo().filter((name) => /^(?:FSEvent|StatWatcher)/.test(name))

describe('a watched root', () => {
  it('is seen when it is made with its parents, and when they are removed', async () => {
    await watch({ global: at('a/b/c') })
    for (const description of ['one', 'two']) {
      await write('a/b/c/pdf', description)
      await expect.poll(described, soon).toEqual({ pdf: description })
      await write('a/b/c/pdf', `${description} more`)
      await expect.poll(described, soon).toEqual({ pdf: `${description} more` })
      await rm(at('a'), { recursive: true })
      await expect.poll(described, soon).toEqual({})
    }
  })

  it('is seen when it is removed and made again at once', async () => {
    await write('root/pdf', 'old')
    await watch({ global: at('root') })
    for (const description of ['one', 'two', 'three']) {
      await rm(at('root'), { recursive: true })
      await write('root/pdf', description)
      await expect.poll(described, soon).toEqual({ pdf: description })
      await write('root/pdf', `${description} more`)
      await expect.poll(described, soon).toEqual({ pdf: `${description} more` })
    }
  })

  it('is seen when a folder above it is moved away, and another one takes its place', async () => {
    await write('work/skills/pdf', 'old')
    await watch({ workspace: at('work') })
    await rename(at('work'), at('moved'))
    await expect.poll(described, soon).toEqual({})
    await write('work/skills/pdf', 'new')
    await expect.poll(described, soon).toEqual({ pdf: 'new' })
    await write('work/skills/pdf', 'newer')
    await expect.poll(described, soon).toEqual({ pdf: 'newer' })
    await write('moved/skills/pdf', 'no longer')
    await write('work/skills/html', 'more')
    await expect.poll(described, soon).toEqual({ pdf: 'newer', html: 'more' })
  })

  it('is seen when it is exchanged for another one', async () => {
    await write('root/pdf', 'old')
    await write('next/html', 'new')
    await watch({ global: at('root') })
    await rename(at('root'), at('last'))
    await rename(at('next'), at('root'))
    await expect.poll(described, soon).toEqual({ html: 'new' })
    await write('root/html', 'newer')
    await expect.poll(described, soon).toEqual({ html: 'newer' })
  })

  it('can be a link, which may come to lead elsewhere', async () => {
    await write('one/pdf', 'one')
    await write('two/html', 'two')
    await symlink(at('one'), at('root'))
    await watch({ global: at('root') })
    await write('one/pdf', 'changed')
    await expect.poll(described, soon).toEqual({ pdf: 'changed' })
    await unlink(at('root'))
    await symlink(at('two'), at('root'))
    await expect.poll(described, soon).toEqual({ html: 'two' })
    await write('two/html', 'changed')
    await expect.poll(described, soon).toEqual({ html: 'changed' })
  })

  it('can be a plain file for a while', async () => {
    await writeFile(at('root'), 'x')
    await watch({ global: at('root') })
    await unlink(at('root'))
    await write('root/pdf', 'new')
    await expect.poll(described, soon).toEqual({ pdf: 'new' })
  })

  it('can serve two tiers', async () => {
    await write('root/pdf', 'old')
    await watch({ global: at('root'), builtin: at('root') })
    await write('root/pdf', 'new')
    await expect.poll(described, soon).toEqual({ pdf: 'new' })
    expect(await catalog.listAll()).toMatchObject([
      { source: 'global', description: 'new' },
      { source: 'builtin', description: 'new' },
    ])
  })

  it('shows what a higher tier hid when that is removed', async () => {
    await write('work/skills/pdf', 'high')
    await write('all/pdf', 'low')
    await watch({ workspace: at('work'), global: at('all') })
    await expect.poll(described, soon).toEqual({ pdf: 'high' })
    await rm(at('work/skills/pdf'), { recursive: true })
    await expect.poll(described, soon).toEqual({ pdf: 'low' })
    await write('work/.agents/skills/pdf', 'project')
    await expect.poll(described, soon).toEqual({ pdf: 'project' })
  })

  it('of versions is seen two levels deep', async () => {
    await write('store/pdf/1', 'first')
    await watch({ managed: at('store') })
    await write('store/pdf/2', 'second')
    await expect.poll(described, soon).toEqual({ pdf: 'second' })
    await write('store/pdf/10', 'tenth')
    await expect.poll(described, soon).toEqual({ pdf: 'tenth' })
    await rm(at('store/pdf/10'), { recursive: true })
    await expect.poll(described, soon).toEqual({ pdf: 'second' })
    await write('store/html/1', 'new')
    await expect.poll(described, soon).toEqual({ pdf: 'second', html: 'new' })
  })
})

describe('a watched skill', () => {
  it.each([
    ['in place', (next: string) => writeFile(file(), next)],
    [
      'into another file that takes the name',
      async (next: string) => {
        await writeFile(`${file()}.tmp`, next)
        await rename(`${file()}.tmp`, file())
      },
    ],
    [
      'after the old file was put aside',
      async (next: string) => {
        await rename(file(), `${file()}~`)
        await writeFile(file(), next)
        await unlink(`${file()}~`)
      },
    ],
    [
      'after the old file was removed',
      async (next: string) => {
        await unlink(file())
        await writeFile(file(), next)
      },
    ],
    [
      'from outside the folder',
      async (next: string) => {
        await writeFile(at('next.md'), next)
        await rename(at('next.md'), file())
      },
    ],
    [
      'bit by bit',
      async (next: string) => {
        for (let end = 0; end <= next.length; end += 1) await writeFile(file(), next.slice(0, end))
      },
    ],
  ])('is seen when an editor writes %s, again and again', async (_, save) => {
    await write('root/pdf', 'old')
    await watch({ global: at('root') })
    for (const description of ['one', 'two', 'six']) {
      await save(text(description))
      await expect.poll(described, soon).toEqual({ pdf: description })
    }
  })

  it('is seen when its folder is renamed, moved in, and moved out', async () => {
    await write('root/pdf', 'one')
    await watch({ global: at('root') })
    await rename(at('root/pdf'), at('root/html'))
    await expect.poll(described, soon).toEqual({ html: 'one' })
    await rename(at('root/html'), at('html'))
    await expect.poll(described, soon).toEqual({})
    await write('html', 'two')
    await rename(at('html'), at('root/again'))
    await expect.poll(described, soon).toEqual({ again: 'two' })
    await write('root/again', 'three')
    await expect.poll(described, soon).toEqual({ again: 'three' })
  })

  it('is seen when its file comes long after its folder', async () => {
    await watch({ global: at('root') })
    await mkdir(at('root/pdf'), { recursive: true })
    await new Promise((resolve) => setTimeout(resolve, 600))
    await write('root/pdf', 'late')
    await expect.poll(described, soon).toEqual({ pdf: 'late' })
    await unlink(file())
    await expect.poll(described, soon).toEqual({})
  })

  it('is seen as skill.md, and when that becomes SKILL.md', async () => {
    await write('root/pdf', 'small', 'skill.md')
    await watch({ global: at('root') })
    await write('root/pdf', 'smaller', 'skill.md')
    await expect.poll(described, soon).toEqual({ pdf: 'smaller' })
    await rename(at('root/pdf/skill.md'), file())
    await expect.poll(described, soon).toEqual({ pdf: 'smaller' })
    await write('root/pdf', 'large')
    await expect.poll(described, soon).toEqual({ pdf: 'large' })
  })

  it('is not read again for its other files', async () => {
    await write('root/pdf', 'one')
    await watch({ global: at('root') })
    const { version } = catalog
    await write('root/pdf', 'x', 'notes.md')
    await writeFile(at('root/README.md'), 'x')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(catalog.version).toBe(version)
  })
})

describe('a catalog that watches', () => {
  it('gets past 300 files that are written, changed and removed at once', async () => {
    await watch({ global: at('root') })
    const names = Array.from({ length: 300 }, (_, index) => `s${index}`)
    const all = (description: string) =>
      Object.fromEntries(names.map((name) => [name, description]))
    for (const description of ['one', 'two']) {
      await Promise.all(names.map((name) => write(`root/${name}`, description)))
      await expect.poll(described, { timeout: 15_000 }).toEqual(all(description))
    }
    await Promise.all(names.map((name) => rm(at(`root/${name}`), { recursive: true })))
    await expect.poll(described, { timeout: 15_000 }).toEqual({})
  })

  it('has a version that grows with each change, however often it is reloaded', async () => {
    await watch({ global: at('root') })
    let last = catalog.version
    for (const description of ['a', 'b', 'c']) {
      await write('root/pdf', description)
      await expect.poll(described, soon).toEqual({ pdf: description })
      await Promise.all([catalog.reload(), catalog.reload(), catalog.list()])
      expect(catalog.version).toBeGreaterThan(last)
      last = catalog.version
    }
    // Two changes within a millisecond put it ahead of the clock, from which the next process begins.
    await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(last)
    const next = createSkillCatalog({ global: at('root') })
    await next.list()
    expect(next.version).toBeGreaterThanOrEqual(last)
  })

  it('leaves no handle when it is closed', async () => {
    const before = handles().length
    await write('root/pdf', 'one')
    await watch({ workspace: at('later'), global: at('root'), builtin: at('none') })
    expect(handles().length).toBeGreaterThan(before)
    await catalog.close()
    await expect.poll(() => handles().length, { timeout: 5_000 }).toBe(before)
  })

  it('closes while folders come and go', async () => {
    for (let round = 0; round < 5; round += 1) {
      await watch({ global: at('root') })
      const working = write('root/pdf', `${round}`).then(() => rm(at('root'), { recursive: true }))
      await catalog.close()
      await working
    }
    expect(handles()).toEqual([])
  })

  it('watches again after it was closed', async () => {
    await watch({ global: at('root') })
    await catalog.close()
    await write('root/pdf', 'meanwhile')
    await catalog.watch()
    await expect.poll(described, soon).toEqual({ pdf: 'meanwhile' })
    await write('root/pdf', 'after')
    await expect.poll(described, soon).toEqual({ pdf: 'after' })
  })
})
