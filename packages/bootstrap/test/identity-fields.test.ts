import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldOf, withField } from '../src/index.js'

describe('fieldOf', () => {
  it.each([
    ['- **Name:** Ferris', 'Ferris'],
    ['# Identity\n\n- **Name:** Ferris\n- **Creature:** crab', 'Ferris'],
    ['Name: Ferris', 'Ferris'],
    ['* Name: Ferris', 'Ferris'],
    ['**Name**: Ferris', 'Ferris'],
    ['- **Name:** **Ferris**', 'Ferris'],
    ['- **Name:** `_Ferris_`', 'Ferris'],
    ['- **Name:** __*Ferris*__', 'Ferris'],
    ['- **Name:** Ferris: the crab', 'Ferris: the crab'],
    ['- **Name:**\r\n- **Creature:** crab\r\n', ''],
    ['- **Name:**\n- **Creature:** crab', ''],
    ['- **Name:** - **Creature:** crab', ''],
    ['- **Name:** **Creature:** crab', ''],
    ['- **Name:** Ferris - **Creature:** crab', ''],
    ['- **Name:** Ferris **Creature**: crab', ''],
    ['- **Name:** **Ferris: the crab**', 'Ferris: the crab'],
    ['- **Nickname:** Ferris', ''],
    ['My name: is secret', ''],
    ['', ''],
  ])('reads the name in %j as %j', (text, name) => {
    expect(fieldOf(text, 'Name')).toBe(name)
  })
})

describe('withField', () => {
  it.each([
    ['Name: Old', 'Name: New'],
    ['- **Name:** Old\n- **Emoji:** x', '- **Name:** New\n- **Emoji:** x'],
    ['- **Name:**\n- **Emoji:** x', '- **Name:** New\n- **Emoji:** x'],
    ['# Identity\n\ntext', '# Identity\n\n- **Name:** New\n\ntext'],
    ['text', '- **Name:** New\ntext'],
    ['', 'Name: New\n'],
    [' \n', 'Name: New\n'],
  ])('writes the name into %j', (text, expected) => {
    expect(withField(text, 'Name', 'New')).toBe(expected)
  })

  it('leaves the text when the value is blank', () => {
    expect(withField('Name: Old', 'Name', ' \n')).toBe('Name: Old')
  })

  it('keeps values with colons, such as addresses', () => {
    const text = withField('- **Avatar:**', 'Avatar', 'https://example.com/a:b.png')
    expect(fieldOf(text, 'Avatar')).toBe('https://example.com/a:b.png')
  })

  it('puts a value on one line, whatever it holds', () => {
    const text = '# Identity\n\n- **Name:** Old\n- **Emoji:** x\n'
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(withField(text, 'Name', value).split('\n')).toHaveLength(text.split('\n').length)
      }),
    )
  })
})
