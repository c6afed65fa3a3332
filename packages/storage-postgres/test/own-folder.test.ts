import { ConfigurationError } from '@loam/core'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeOwnFolder, openStorage, toFolderError } from '../src/index.js'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'loam-folder-'))
})
afterEach(async () => {
  await rm(parent, { recursive: true, force: true })
})

describe('makeOwnFolder', () => {
  it('makes a folder and those above it for the owner only', async () => {
    const folder = join(parent, 'a', 'b', 'c')
    await makeOwnFolder(folder)
    await makeOwnFolder(folder)
    for (const made of [folder, join(parent, 'a')]) {
      expect((await stat(made)).mode & 0o777).toBe(0o700)
    }
  })

  it('takes a link to a folder', async () => {
    await symlink(parent, join(parent, 'link'))
    await makeOwnFolder(join(parent, 'link'))
    await makeOwnFolder(join(parent, 'link', 'a'))
    expect(existsSync(join(parent, 'a'))).toBe(true)
  })

  it('makes the same folder for many at once', async () => {
    const folder = join(parent, 'a', 'b')
    await Promise.all(Array.from({ length: 20 }, () => makeOwnFolder(folder)))
    expect((await stat(folder)).isDirectory()).toBe(true)
  })
})

describe('a store', () => {
  it.each([
    { what: 'a file', path: 'file' },
    { what: 'within a file', path: 'file/data' },
    { what: 'deep within a file', path: 'file/a/b' },
    { what: 'a link that leads nowhere', path: 'link' },
    { what: 'of a name that is too long', path: 'x'.repeat(300) },
  ])('is refused in a folder that is $what, naming it and the cure', async ({ path }) => {
    await writeFile(join(parent, 'file'), '')
    await symlink(join(parent, 'nowhere', 'at all'), join(parent, 'link'))
    const folder = join(parent, path)
    const refused = openStorage(`pglite:${folder}`)
    await expect(refused).rejects.toSatisfy((error) => ConfigurationError.isInstance(error))
    await expect(refused).rejects.toThrow(folder)
    await expect(refused).rejects.toThrow('LOAM_HOME')
  })

  it.runIf(existsSync('/proc/self'))('is refused where no folder can be made', async () => {
    for (const folder of ['/proc/none', '/proc/none/data']) {
      await expect(openStorage(`pglite:${folder}`)).rejects.toThrow(ConfigurationError)
    }
  })

  it('is refused in a folder that takes no files', async () => {
    // For root, modes forbid nothing; `/proc/self` is a folder that takes no file of anybody.
    const folder = existsSync('/proc/self') ? '/proc/self' : '/'
    await expect(openStorage(`pglite:${folder}`)).rejects.toThrow(ConfigurationError)
  })
})

describe('toFolderError', () => {
  it('leaves what the system did not say as it is', () => {
    const error = new Error('other')
    expect(toFolderError(error, { folder: 'a', setting: 'b', cure: 'c' })).toBe(error)
  })
})
