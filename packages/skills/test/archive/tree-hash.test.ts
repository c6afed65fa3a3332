import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashSkillFiles } from '../../src/archive/tree-hash.js'
import { utf8 } from './build-zip.js'

const trees = fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), {
  maxKeys: 4,
})
const filesOf = (tree: Record<string, string>) =>
  Object.entries(tree).map(([path, content]) => ({ path, content: utf8(content) }))

describe('hashSkillFiles', () => {
  it('is stable', () => {
    expect(hashSkillFiles([])).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(hashSkillFiles(filesOf({ 'SKILL.md': '# Skill', a: '' }))).toMatchInlineSnapshot(
      `"63d6207843d938bee1e04c0ccf44a351209839fc46323f2d6b0aff7edfdbeba2"`,
    )
  })

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const files = filesOf(tree)
        expect(hashSkillFiles(files.toReversed())).toBe(hashSkillFiles(files))
      }),
    )
  })

  it('differs for trees that differ', () => {
    fc.assert(
      fc.property(trees, trees, (first, second) => {
        const names = Object.keys(first)
        const isSame =
          names.length === Object.keys(second).length &&
          names.every((name) => Object.hasOwn(second, name) && first[name] === second[name])
        expect(hashSkillFiles(filesOf(first)) === hashSkillFiles(filesOf(second))).toBe(isSame)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    [{ ab: 'c' }, { a: 'bc' }],
    [{ a: 'b', c: 'd' }, { a: 'bcd' }],
    [{ a: '' }, {}],
    [
      { a: 'x', b: 'y' },
      { a: 'y', b: 'x' },
    ],
  ])('differs for %j and %j', (first, second) => {
    expect(hashSkillFiles(filesOf(first as Record<string, string>))).not.toBe(
      hashSkillFiles(filesOf(second as Record<string, string>)),
    )
  })
})
