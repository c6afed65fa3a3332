import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentFingerprint, stateFingerprint } from '../fingerprint.mjs'

let folder: string
const path = (...names: string[]) => join(folder, ...names)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-fingerprint-'))
  mkdirSync(path('src/deep'), { recursive: true })
  writeFileSync(path('src/a.ts'), 'one')
  writeFileSync(path('src/deep/b.ts'), 'two')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('contentFingerprint', () => {
  it('changes with the text of a file, and not with its time', () => {
    const before = contentFingerprint([path('src/a.ts')])
    utimesSync(path('src/a.ts'), 0, 0)
    expect(contentFingerprint([path('src/a.ts')])).toBe(before)
    writeFileSync(path('src/a.ts'), 'six')
    expect(contentFingerprint([path('src/a.ts')])).not.toBe(before)
  })

  it('tells a missing file from an empty one', () => {
    const missing = contentFingerprint([path('c.ts')])
    writeFileSync(path('c.ts'), '')
    expect(contentFingerprint([path('c.ts')])).not.toBe(missing)
  })
})

describe('stateFingerprint', () => {
  it('stays the same while nothing changes', () => {
    expect(stateFingerprint([path('src')])).toBe(stateFingerprint([path('src')]))
  })

  it.each([
    ['written anew', () => utimesSync(path('src/deep/b.ts'), 0, 0)],
    ['added', () => writeFileSync(path('src/deep/c.ts'), '')],
    ['removed', () => rmSync(path('src/a.ts'))],
    ['renamed', () => renameSync(path('src/a.ts'), path('src/z.ts'))],
  ])('changes when a file is %s', (_, change) => {
    const before = stateFingerprint([path('src')])
    change()
    expect(stateFingerprint([path('src')])).not.toBe(before)
  })
})
