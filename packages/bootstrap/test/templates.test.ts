import { describe, expect, it } from 'vitest'
import { CONTEXT_FILE_NAMES, fieldOf, templateOf, templates } from '../src/index.js'

describe('templates', () => {
  it.each(CONTEXT_FILE_NAMES)('%s has a text that fits a prompt', (name) => {
    const text = templateOf(name, 'open')
    expect(text.trim()).not.toBe('')
    expect(text.length).toBeLessThan(5_000)
    expect(text).not.toMatch(/TODO|lorem/i)
  })

  // Spec 01, 1.3.
  it.each([
    [
      'AGENTS.md',
      [
        '## Conversation',
        '## Memory',
        'memory_search',
        'MEMORY.md',
        '## Groups',
        'NO_REPLY',
        '## Form',
      ],
    ],
    [
      'SOUL.md',
      ['## Core truths', '## Boundaries', '## Vibe', '## Style', '## Continuity', '- Tone:'],
    ],
    [
      'USER_PREDEFINED.md',
      ['**Audience:**', '**Default language:**', '## Communication', '## Common context'],
    ],
    ['TOOLS.md', ['Cameras', 'SSH', 'voice', 'skill']],
    ['USER.md', ['## Context']],
  ] as const)('%s has %j', (name, anchors) => {
    for (const anchor of anchors) expect(templates[name]).toContain(anchor)
  })

  it.each(['Name', 'Creature', 'Purpose', 'Vibe', 'Emoji', 'Avatar'])(
    'IDENTITY.md has the blank field %s',
    (field) => {
      expect(templates['IDENTITY.md']).toContain(`- **${field}:**`)
      expect(fieldOf(templates['IDENTITY.md'], field)).toBe('')
    },
  )

  it.each(['open', 'predefined'] as const)(
    'BOOTSTRAP.md of %s agents says what to write, and how it ends',
    (type) => {
      const text = templateOf('BOOTSTRAP.md', type)
      expect(text).toContain('USER.md')
      expect(text).toMatch(/BOOTSTRAP.md with empty content/)
      expect(text.includes('SOUL.md')).toBe(type === 'open')
    },
  )

  it('a name that has none has no text', () => {
    expect(templateOf('constructor', 'open')).toBe('')
  })
})
