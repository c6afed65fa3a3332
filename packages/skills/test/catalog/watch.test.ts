import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSkillCatalog, type SkillCatalog } from '../../src/index.js'

let folder: string
let catalog: SkillCatalog
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-skills-'))
  await write('first', 'one')
  catalog = createSkillCatalog({ global: folder, workspace: join(folder, 'later', 'on') })
  await catalog.watch()
})
afterEach(async () => {
  await catalog.close()
  await rm(folder, { recursive: true, force: true })
})

const text = (description: string) => `---\nname: x\ndescription: ${description}\n---\n`
async function write(path: string, description: string): Promise<void> {
  await mkdir(join(folder, path), { recursive: true })
  await writeFile(join(folder, path, 'SKILL.md'), text(description))
}
const described = async () =>
  Object.fromEntries((await catalog.list()).map(({ slug, description }) => [slug, description]))
const soon = { timeout: 10_000 }

describe('a watched catalog', () => {
  it('sees a change, a new skill and one that is removed', async () => {
    await expect.poll(described, soon).toEqual({ first: 'one' })
    await write('first', 'two')
    await expect.poll(described, soon).toEqual({ first: 'two' })
    await write('second', 'new')
    await expect.poll(described, soon).toEqual({ first: 'two', second: 'new' })
    await rm(join(folder, 'second'), { recursive: true })
    await expect.poll(described, soon).toEqual({ first: 'two' })
  })

  it('sees changes of one size within the same tick of the clock', async () => {
    for (const description of ['aaa', 'bbb', 'ccc']) {
      await write('first', description)
      await expect.poll(described, soon).toEqual({ first: description })
    }
  })

  it('sees what editors write by renaming', async () => {
    const file = join(folder, 'first', 'SKILL.md')
    await writeFile(`${file}~`, text('renamed'))
    await rename(`${file}~`, file)
    await expect.poll(described, soon).toEqual({ first: 'renamed' })
  })

  it('sees a folder that is made, removed and made again later', async () => {
    await write(join('later', 'on', 'skills', 'work'), 'workspace')
    await expect.poll(described, soon).toEqual({ first: 'one', work: 'workspace' })
    await rm(join(folder, 'later'), { recursive: true })
    await expect.poll(described, soon).toEqual({ first: 'one' })
    await write(join('later', 'on', 'skills', 'work'), 'again')
    await expect.poll(described, soon).toEqual({ first: 'one', work: 'again' })
  })

  it('sees many at once', async () => {
    await Promise.all(Array.from({ length: 300 }, (_, index) => write(`many-${index}`, 'x')))
    await expect.poll(async () => (await catalog.list()).length, { timeout: 15_000 }).toBe(301)
  })

  it('has a version that only grows', async () => {
    const versions = [catalog.version]
    for (const description of ['a', 'b', 'c']) {
      await write('first', description)
      await expect.poll(described, soon).toEqual({ first: description })
      versions.push(catalog.version)
    }
    await catalog.reload()
    versions.push(catalog.version)
    expect(versions).toEqual(Array.from(new Set(versions)).toSorted((a, b) => a - b))
  })

  it('sees nothing more when it is closed', async () => {
    await catalog.close()
    const { version } = catalog
    await write('second', 'new')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(catalog.version).toBe(version)
  })
})
