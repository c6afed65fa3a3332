import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readContextFolder, seedContextFolder } from '../src/folder.js'
import { templateOf } from '../src/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))
const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content)

describe('reading a folder of context files', () => {
  it('reads what stands there by exact names, in load order, and says what is missing', async () => {
    await put('USER.md', 'u')
    await put('AGENTS.md', 'a')
    await put('soul.md', 'not this one')
    await put('notes.md', 'nor this')
    await mkdir(join(folder, 'TOOLS.md'))
    const { files, missing, memory } = await readContextFolder(folder)
    expect(files).toEqual([
      { name: 'AGENTS.md', content: 'a' },
      { name: 'USER.md', content: 'u' },
    ])
    expect(missing).toEqual([
      'SOUL.md',
      'TOOLS.md',
      'IDENTITY.md',
      'BOOTSTRAP.md',
      'USER_PREDEFINED.md',
    ])
    expect(memory).toBeUndefined()
  })

  it.each([
    [['MEMORY.md', 'memory.md', 'MEMORY.json'], 'MEMORY.md', false],
    [['memory.md', 'MEMORY.json'], 'memory.md', false],
    [['MEMORY.json'], 'MEMORY.json', true],
  ])('takes of %j %s for the memory', async (names, name, deprecated) => {
    for (const present of names) await put(present, present)
    const { memory } = await readContextFolder(folder)
    expect(memory).toEqual({ file: { name, content: name }, deprecated })
  })

  it('names the byte at which a file stops being UTF-8', async () => {
    await put('SOUL.md', Buffer.concat([Buffer.from('äö'), Buffer.from([0xff, 0x61])]))
    await expect(readContextFolder(folder)).rejects.toThrow(/SOUL.md is not UTF-8 text: see byte 4/)
  })

  it.each([
    ['is cut off at the end of the file', [0x61, 0xe2, 0x82]],
    ['goes on with something else', [0x61, 0xe2, 0x41, 0x41]],
  ])('names the byte at which a character begins that %s', async (_what, bytes) => {
    await put('SOUL.md', Uint8Array.from(bytes))
    await expect(readContextFolder(folder)).rejects.toThrow(/see byte 1\./)
  })

  it('refuses a file above one megabyte by its size', async () => {
    await put('SOUL.md', 'x'.repeat(1_048_577))
    await expect(readContextFolder(folder)).rejects.toThrow(/1,048,577 bytes/)
  })

  it('says that there is no such folder', async () => {
    await expect(readContextFolder(join(folder, 'none'))).rejects.toThrow(/ENOENT/)
  })
})

describe('seeding a folder', () => {
  it('writes the six templates of an open agent once', async () => {
    expect(await seedContextFolder(folder, { type: 'open' })).toHaveLength(6)
    expect(await seedContextFolder(folder, { type: 'open' })).toEqual([])
    const { missing } = await readContextFolder(folder)
    expect(missing).toEqual(['USER_PREDEFINED.md'])
  })

  it('leaves BOOTSTRAP.md empty, so that a first meeting that is over stays over', async () => {
    await seedContextFolder(folder, { type: 'open' })
    await put('BOOTSTRAP.md', '')
    expect(await seedContextFolder(folder, { type: 'open' })).toEqual([])
    expect(await readFile(join(folder, 'BOOTSTRAP.md'), 'utf8')).toBe('')
  })

  it('leaves what says something, and fills what is empty', async () => {
    await put('SOUL.md', 'Mine.')
    await put('AGENTS.md', '')
    const written = await seedContextFolder(folder, { type: 'predefined' })
    expect(written).toEqual(['AGENTS.md', 'IDENTITY.md', 'USER_PREDEFINED.md'])
    expect(await readFile(join(folder, 'SOUL.md'), 'utf8')).toBe('Mine.')
    const agents = await readFile(join(folder, 'AGENTS.md'), 'utf8')
    expect(agents).toBe(templateOf('AGENTS.md', 'predefined'))
  })
})
