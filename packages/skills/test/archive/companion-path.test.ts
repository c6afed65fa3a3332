import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@loam/core'
import { checkCompanionPath, foldPath, isIgnoredEntry } from '../../src/archive/companion-path.js'

/** Undefined when it is refused as it should be. */
function checkedOrRefused(path: string): string | undefined {
  try {
    return checkCompanionPath(path)
  } catch (error) {
    if (InvalidInputError.isInstance(error)) return undefined
    throw error
  }
}

describe('checkCompanionPath', () => {
  it.each([
    ['scripts/run.py', 'scripts/run.py'],
    ['scripts\\win\\run.ps1', 'scripts/win/run.ps1'],
    ['a', 'a'],
    ['old/SKILL.md', 'old/SKILL.md'],
    ['references/été 日本.md', 'references/été 日本.md'],
    ['a/b/c/d/e/f/g/h/i/j', 'a/b/c/d/e/f/g/h/i/j'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['file..txt', 'file..txt'],
  ])('takes %j', (path, expected) => {
    expect(checkCompanionPath(path)).toBe(expected)
  })

  it.each([
    ['', /empty/],
    ['/etc/passwd', /absolute/],
    ['\\\\server\\share', /absolute/],
    ['C:\\Windows\\a.txt', /drive/],
    ['c:a.txt', /drive/],
    ['a/C:/b', /drive or a stream/],
    ['a.txt:hidden', /stream/],
    ['../a', /upwards/],
    ['a/../b', /upwards/],
    ['a\\..\\..\\b', /upwards/],
    ['./a', /segment/],
    ['a/./b', /segment/],
    ['a//b', /empty segment/],
    ['a/', /empty segment/],
    ['.hidden', /hidden/],
    ['a/.env', /hidden/],
    ['.git/config', /Git/],
    ['a/.GIT/hooks/x', /Git/],
    ['a\0b', /control/],
    ['a\nb', /control/],
    ['a\u007Fb', /control/],
    ['a\u202Etxt.exe', /control/],
    ['a\uD800b', /control/],
    ['a. ', /blank/],
    ['a./b', /blank/],
    ['x'.repeat(256), /256 bytes/],
    ['é'.repeat(128), /256 bytes/],
    ['a/b/c/d/e/f/g/h/i/j/k', /11 levels/],
    ['SKILL.md', /no companion/],
  ])('refuses %j', (path, message) => {
    expect(() => checkCompanionPath(path)).toThrow(InvalidInputError)
    expect(() => checkCompanionPath(path)).toThrow(message)
  })

  it('takes SKILL.md at the root when it is allowed, and never in other letters', () => {
    expect(checkCompanionPath('SKILL.md', { allowSkillFile: true })).toBe('SKILL.md')
    for (const path of ['skill.md', 'Skill.MD', '\u017Fkill.md']) {
      expect(() => checkCompanionPath(path, { allowSkillFile: true })).toThrow(/Write SKILL.md/)
    }
  })

  it('takes no path that leads out, hides, or changes when it is checked again', () => {
    const segment = fc.constantFrom('a', '..', '.', '', '.git', 'C:', '\\', 'b.md', ' ', 'SKILL.md')
    const path = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(segment).map((parts) => parts.join('/')),
    )
    fc.assert(
      fc.property(path, (given) => {
        const checked = checkedOrRefused(given)
        if (checked === undefined) return
        expect(checkCompanionPath(checked)).toBe(checked)
        expect(new URL(checked.replaceAll('%', '%25'), 'file:///skill/').pathname).toMatch(
          /^\/skill\/./,
        )
        expect(checked).not.toMatch(/(?:^|\/)\.|\\|:/)
      }),
    )
  })
})

describe('isIgnoredEntry', () => {
  it.each([
    ['__MACOSX/a/._SKILL.md', true],
    ['a/._b', true],
    ['a/.DS_Store', true],
    ['a\\Thumbs.db', true],
    ['a/THUMBS.DB', true],
    ['desktop.ini', true],
    ['a/Desktop.ini/b', true],
    ['a/_b', false],
    ['.hidden', false],
    ['DS_Store', false],
    ['my-desktop.ini', false],
  ])('says of %j: %s', (path, expected) => {
    expect(isIgnoredEntry(path)).toBe(expected)
  })
})

describe('foldPath', () => {
  it.each([
    ['README.md', 'readme.MD'],
    ['\u00E9', 'e\u0301'],
    ['\u00C9', 'e\u0301'],
    ['stra\u00DFe', 'STRASSE'],
    ['\u03C3', '\u03C2'],
  ])('makes %j and %j one', (first, second) => {
    expect(foldPath(first)).toBe(foldPath(second))
  })

  it('leaves what is folded as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(foldPath(foldPath(path))).toBe(foldPath(path))
      }),
    )
  })
})
