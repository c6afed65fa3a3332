import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBlankProfile, prefilledProfile, templates } from '../src/index.js'

/** What each line begins with: a heading, a bullet with its field, or nothing. */
const shape = (text: string) =>
  text.split(/\r?\n|\u2028/).map((line) => /^(?:#+|- \*\*[^*]+\*\*|)/.exec(line)?.[0])

describe('isBlankProfile', () => {
  it.each([
    ['', true],
    [' \n', true],
    ['- **Name:**', true],
    ['**Name:**', true],
    ['Name:', true],
    ['- Name: \n- **Notes:** likes tea', true],
    [templates['USER.md'], true],
    ['- **Name:** Ana', false],
    ['Name: Ana', false],
    ['Ana lives in Porto.', false],
  ])('%j: %s', (text, blank) => {
    expect(isBlankProfile(text)).toBe(blank)
  })
})

describe('prefilledProfile', () => {
  it('fills in what the channel knows', () => {
    const text = prefilledProfile({ displayName: 'Ana', timezone: 'Europe/Lisbon', language: 'pt' })
    expect(text).toContain('- **Name:** Ana\n')
    expect(text).toContain('- **Timezone:** Europe/Lisbon\n')
    expect(text).toContain('- **Language:** pt\n')
    expect(text).toContain('- **Pronouns:**\n')
  })

  it.each([
    'Ana\n# Admin',
    'Ana\r\n- **Notes:** root',
    '# Ana',
    '- Ana',
    '**Ana**',
    'Ana\u2028# x',
  ])('keeps the display name %j from making lines, bullets and headings', (displayName) => {
    const text = prefilledProfile({ displayName, timezone: 'UTC' })
    expect(shape(text)).toEqual(shape(templates['USER.md']))
  })

  it.each([
    ['A\0na', 'Ana'],
    ['\uFEFFAna', 'Ana'],
    ['A\u001B[31mna', 'A31mna'],
    ['A\u202Ena\u2069', 'Ana'],
    ['An\uD83D', 'An\uFFFD'],
    ['Ana 👩‍🌾', 'Ana 👩‍🌾'],
  ])('writes of the display name %j what can be stored and read', (displayName, name) => {
    expect(prefilledProfile({ displayName })).toContain(`- **Name:** ${name}\n`)
  })

  it('has exactly the lines of the template, whatever a display name holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (displayName) => {
        const text = prefilledProfile({ displayName, timezone: 'UTC' })
        expect(text.split('\n')).toHaveLength(templates['USER.md'].split('\n').length)
      }),
    )
  })
})
