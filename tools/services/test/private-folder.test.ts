import { existsSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePrivateFolder, removePrivateFolder } from '../private-folder.mjs'

describe('makePrivateFolder', () => {
  it('makes a folder that nobody else can enter, and removes it with its contents', () => {
    const folder = makePrivateFolder({})
    writeFileSync(join(folder, 'data'), 'x')
    expect(statSync(folder).mode & 0o077).toBe(0)
    removePrivateFolder(folder)
    expect(existsSync(folder)).toBe(false)
  })
})

describe('removePrivateFolder', () => {
  it.each([homedir(), '/', '/tmp/loam-service-x/../../home'])('refuses to remove %s', (folder) => {
    expect(() => removePrivateFolder(folder)).toThrow('is not a folder of a test service')
  })
})
