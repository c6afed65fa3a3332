import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isMemoryPath,
  normalizeMemoryPath,
  normalizePathPrefix,
  normalizeWritablePath,
} from '../src/memory-path.js'

describe('normalizeMemoryPath', () => {
  it.each([
    ['MEMORY.md', 'MEMORY.md'],
    ['memory.md', 'MEMORY.md'],
    ['Memory.MD', 'MEMORY.md'],
    ['./MEMORY.md', 'MEMORY.md'],
    ['.//memory.md', 'MEMORY.md'],
    ['memory.json', 'MEMORY.json'],
    ['memory/2026-11-30.md', 'memory/2026-11-30.md'],
    ['memory//projects/./loam.md', 'memory/projects/loam.md'],
    ['memory/a..b.md', 'memory/a..b.md'],
    ['memory/Übersicht 日本.md', 'memory/Übersicht 日本.md'],
    ['_system/dreaming/2026-11-30.md', '_system/dreaming/2026-11-30.md'],
  ])('spells %j as %j', (path, normalized) => {
    expect(normalizeMemoryPath(path)).toBe(normalized)
    expect(isMemoryPath(path)).toBe(true)
  })

  it('gives composed and decomposed letters one spelling', () => {
    const composed = 'memory/caf\u00e9.md'
    expect(normalizeMemoryPath(composed.normalize('NFD'))).toBe(composed)
  })

  it.each([
    [''],
    ['/MEMORY.md'],
    ['C:\\memory\\a.md'],
    ['memory\\a.md'],
    ['memory/../secret.md'],
    ['../MEMORY.md'],
    ['memory/..'],
    ['memory/a.txt'],
    ['memory/.md'],
    ['memory'],
    ['memory/'],
    ['notes.md'],
    ['Memory/a.md'],
    ['memory/a\0.md'],
    ['memory/a\n.md'],
    ['memory/a\u007f.md'],
    ['memory/\ud800.md'],
    [`memory/${'a'.repeat(491)}.md`],
  ])('refuses %j', (path) => {
    expect(() => normalizeMemoryPath(path)).toThrow(InvalidInputError)
    expect(isMemoryPath(path)).toBe(false)
  })

  it('takes a path of 500 characters', () => {
    expect(normalizeMemoryPath(`memory/${'a'.repeat(490)}.md`)).toHaveLength(500)
  })

  it('leaves a normal path as it is, whatever was given', () => {
    const segment = fc.string({ unit: 'grapheme', maxLength: 8 })
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const path = `memory/${segments.join('/')}.md`
        if (!isMemoryPath(path)) return
        const normalized = normalizeMemoryPath(path)
        expect(normalizeMemoryPath(normalized)).toBe(normalized)
        expect(normalized.split('/')).not.toContain('..')
      }),
    )
  })
})

describe('normalizeWritablePath', () => {
  it('takes what a user writes', () => {
    expect(normalizeWritablePath('memory.md')).toBe('MEMORY.md')
  })

  it.each([
    ['MEMORY.json', /only read\. Write MEMORY\.md/],
    ['memory.json', /only read/],
    ['_system/dreaming/2026-11-30.md', /belongs to Loam/],
    ['memory/../_system/x.md', /"\.\."/],
  ])('refuses %j with a sentence that says what to do', (path, message) => {
    expect(() => normalizeWritablePath(path)).toThrow(message)
  })
})

describe('normalizePathPrefix', () => {
  it.each([
    [undefined, undefined],
    ['memory/', 'memory/'],
    ['./memory/100%_', 'memory/100%_'],
    ['', ''],
  ])('keeps %j literally', (prefix, kept) => {
    expect(normalizePathPrefix(prefix)).toBe(kept)
  })

  it.each([['a\0'], ['\ud800'], ['a'.repeat(501)]])('refuses %j', (prefix) => {
    expect(() => normalizePathPrefix(prefix)).toThrow(InvalidInputError)
  })
})
