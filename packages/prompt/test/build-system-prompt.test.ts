import { createHash } from 'node:crypto'
import { InvalidInputError } from '@loam/core'
import { estimateTokens } from '@loam/text'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CACHE_BOUNDARY,
  PROMPT_MODES,
  buildSystemPrompt,
  type SystemPrompt,
  type SystemPromptInput,
} from '../src/index.js'
import { everything } from './everything.js'

const agent = { key: 'helper', type: 'open' } as const
const idsOf = ({ sections }: SystemPrompt): string[] => sections.map(({ id }) => id)

function firstLine(order: 'seed' | 'cache'): string {
  return buildSystemPrompt({ ...everything, order, sections: {} }).text.split('\n')[0] ?? ''
}

function promptWith(names: readonly string[]): string {
  return buildSystemPrompt({
    agent,
    tools: names.map((name) => ({ name, description: `about ${name}` })),
    skills: {
      mode: 'inline',
      available: names.map((slug) => ({ slug, name: slug, description: '' })),
    },
  }).text
}

/** All that a section waits for, and nothing that the seed does not know. */
const complete: SystemPromptInput = {
  ...everything,
  order: 'seed',
  memories: [],
  sections: {},
  contextFiles: [
    ...everything.contextFiles,
    { name: 'BOOTSTRAP.md', content: 'Meet the user', origin: 'user' },
    { name: 'SOUL.md', content: 'Dry wit', origin: 'agent' },
  ],
}

describe('modes', () => {
  // Columns full, task, minimal, none. Full and minimal: the seed's table. Task and none: spec 2.2.
  it.each([
    ['1', '1. Identity', 'yes', 'yes', 'yes', 'yes'],
    ['1.5', '1.5. Bootstrap Override', 'yes', 'yes', 'yes', 'yes'],
    ['2', '2. Tooling', 'yes', 'yes', 'yes', 'yes'],
    ['3', '3. Safety', 'yes', 'yes', 'yes', 'yes'],
    ['4', '4. Skills', 'yes', 'yes', 'no', 'pinned'],
    ['5', '5. Memory Recall', 'yes', 'line', 'no', 'no'],
    ['6', '6. Workspace', 'yes', 'yes', 'yes', 'yes'],
    ['6.5', '6.5. Sandbox', 'yes', 'yes', 'yes', 'no'],
    ['7', '7. User Identity', 'yes', 'no', 'no', 'no'],
    ['8', '8. Current Time', 'yes', 'yes', 'yes', 'no'],
    ['9', '9. Messaging', 'yes', 'no', 'no', 'no'],
    ['10', '10. Extra Context', 'yes', 'yes', 'yes', 'yes'],
    ['11', '11. Project Context', 'yes', 'yes', 'yes', 'yes'],
    ['12', '12. Silent Replies', 'yes', 'no', 'no', 'no'],
    ['15', '15. Runtime', 'yes', 'yes', 'yes', 'yes'],
  ])('section %s (%s) has full %s, task %s, minimal %s, none %s', (id, _title, ...expected) => {
    const shown = PROMPT_MODES.map((mode) =>
      idsOf(buildSystemPrompt({ ...complete, mode })).includes(id),
    )
    expect(shown).toEqual(expected.map((value) => value !== 'no'))
  })

  it('section 14 (14. Sub-Agent Spawning) has full yes, task no, minimal yes, none no', () => {
    const known = { ...complete, contextFiles: [] }
    const shown = PROMPT_MODES.map((mode) =>
      idsOf(buildSystemPrompt({ ...known, mode })).includes('14'),
    )
    expect(shown).toEqual([true, false, true, false])
  })

  it.each([
    ['full', ['## Tooling', '## Safety', '### Tool Call Style', '## Memory Recall'], []],
    ['full', ['## Workspace', '## Runtime', '### Execution Bias'], []],
    ['minimal', ['## Tooling', '## Workspace'], ['## Skills', '## User Identity']],
    ['minimal', ['Do not seek power'], ['### Execution Bias', '### Tool Call Style']],
    ['task', ['Dry wit', '`memory_search`'], ['## Memory Recall', '## Sub-Agent Spawning']],
    ['task', ['### Execution Bias'], ['### Tool Call Style', 'Do not seek power']],
    ['none', ['## Safety', '<pinned_skills>'], ['2026-03', '<available_skills>']],
  ] as const)('%s holds %j and not %j', (mode, present, absent) => {
    const { text } = buildSystemPrompt({ ...complete, mode })
    for (const part of present) expect(text).toContain(part)
    for (const part of absent) expect(text).not.toContain(part)
  })

  it('keeps none with a pinned skill and an extra prompt within 3,100 characters', () => {
    const { text } = buildSystemPrompt({
      mode: 'none',
      agent,
      time: everything.time,
      tools: [{ name: 'mcp_search', description: 'Finds tools of connected servers' }],
      skills: { mode: 'inline', pinned: everything.skills.pinned },
      extraPrompt: 'Answer in the style of the team. '.repeat(10),
      channel: everything.channel,
      user: everything.user,
    })
    expect(text.length).toBeLessThanOrEqual(3100)
    expect(text).toContain('## Safety')
    expect(text).not.toContain('2026')
  })

  it('is full by default, and less where the session kind caps it', () => {
    expect(buildSystemPrompt({ agent }).mode).toBe('full')
    expect(buildSystemPrompt({ agent, sessionKind: 'cron' }).mode).toBe('minimal')
    expect(buildSystemPrompt({ agent, sessionKind: 'cron', mode: 'task' }).mode).toBe('task')
  })
})

describe('orders', () => {
  it('follows the seed by default', () => {
    const known = { ...complete, order: undefined, memories: everything.memories }
    const first = idsOf(buildSystemPrompt(known))
    expect(first).toEqual('1 1.5 2 3 4 5 6 6.5 7 8 9 10 11 12 15'.split(' '))
    const later = idsOf(buildSystemPrompt({ ...known, contextFiles: everything.contextFiles }))
    expect(later).toEqual('1 2 3 4 5 5.5 6 6.5 7 8 9 10 11 12 14 15'.split(' '))
  })

  it('has no stable half in seed order', () => {
    const { text, stable, dynamic, sections } = buildSystemPrompt({ ...everything, order: 'seed' })
    expect(stable).toBe('')
    expect(dynamic).toBe(text)
    expect(text).not.toContain(CACHE_BOUNDARY)
    expect(sections.filter((section) => section.stable)).toEqual([])
  })

  it('puts what varies below the boundary in cache order', () => {
    const prompt = buildSystemPrompt({ ...complete, order: 'cache' })
    const half = (stable: boolean): string[] =>
      prompt.sections.filter((section) => section.stable === stable).map(({ id }) => id)
    expect(half(true)).toEqual('1 2 3 4 5 6 6.5 9 11 12 14'.split(' '))
    expect(half(false)).toEqual('1 1.5 7 8 10 11 15'.split(' '))
    expect(prompt.text).toBe(`${prompt.stable}\n${CACHE_BOUNDARY}\n${prompt.dynamic}`)
    expect(CACHE_BOUNDARY).toMatch(/^<!-- .* -->$/)
  })

  it('keeps agent files above the boundary, and user and virtual files below it', () => {
    const { stable, dynamic } = buildSystemPrompt(everything)
    expect(stable).toContain('Work with care')
    expect(dynamic).not.toContain('Work with care')
    for (const own of ['Ann likes tea', '<system_context name="TEAM.md">', 'IDENTITY.md']) {
      expect(dynamic).toContain(own)
      expect(stable).not.toContain(own)
    }
  })

  it('names the chat in the identity line in seed order only', () => {
    expect(firstLine('seed')).toBe(
      'You are Helper, a personal assistant running inside Loam, in a group chat on telegram named "Book club".',
    )
    expect(firstLine('cache')).toBe('You are Helper, a personal assistant running inside Loam.')
  })

  it('has the same stable half for 1,000 users on 30 days', () => {
    const hashes = new Set<string>()
    for (let user = 0; user < 1000; user += 1) {
      const own = `u${user}`
      const { stable } = buildSystemPrompt({
        ...everything,
        channel: {
          kind: user % 2 === 0 ? 'direct' : 'group',
          platform: own,
          chatId: own,
          title: own,
        },
        user: { id: own, displayName: own },
        owners: [own],
        time: { now: new Date(Date.UTC(2026, 0, 1 + (user % 30), user % 24)), timezone: own },
        contextFiles: [
          everything.contextFiles[0],
          { name: 'USER.md', content: own, origin: 'user' },
          ...(user % 3 === 0
            ? [{ name: 'BOOTSTRAP.md', content: own, origin: 'user' } as const]
            : []),
        ],
        virtualFiles: [{ name: 'TEAM.md', content: own }],
        unavailableFiles: user % 5 === 0 ? [own] : [],
        memories: [{ text: own }],
        extraPrompt: own,
        runtime: { model: own, host: own, version: own },
        sections: { ...everything.sections, dynamicSuffix: own },
        tools: user % 2 === 0 ? everything.tools : everything.tools.toReversed(),
      })
      hashes.add(createHash('sha256').update(stable).digest('hex'))
    }
    expect(hashes.size).toBe(1)
  })
})

describe('determinism', () => {
  it('gives the same prompt for the same input', () => {
    expect(buildSystemPrompt(structuredClone(everything))).toEqual(buildSystemPrompt(everything))
  })

  it('does not change its input', () => {
    const input = structuredClone(everything)
    buildSystemPrompt(input)
    expect(input).toEqual(everything)
  })

  it('does not depend on the order of tools and inline skills', () => {
    const names = ['b', 'a', 'B', 'ä', 'memory_x', 'memory_a', 'a_b', 'a-b', 'Z']
    const expected = promptWith(names)
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (shuffled) => {
        expect(promptWith(shuffled)).toBe(expected)
      }),
    )
  })
})

describe('the list of sections', () => {
  it.each(['seed', 'cache'] as const)('adds up to the text in order %s', (order) => {
    const { sections, text, stable, dynamic } = buildSystemPrompt({ ...everything, order })
    const sum = (half: boolean): number => {
      const own = sections.filter((section) => section.stable === half)
      const separators = Math.max(0, own.length - 1) * '\n\n'.length
      return own.reduce((total, { characters }) => total + characters, separators)
    }
    expect([sum(true), sum(false)]).toEqual([stable.length, dynamic.length])
    const safety = sections.find(({ id }) => id === '3')
    expect(safety).toMatchObject({ title: 'Safety', stable: order === 'cache' })
    const start = text.indexOf('## Safety')
    const own = text.slice(start, start + (safety?.characters ?? 0))
    expect(own).toMatch(/say so\.$/)
    expect(safety?.tokens).toBe(estimateTokens(own))
  })
})

describe('contributions', () => {
  const sections = { stablePrefix: 'PREFIX', dynamicSuffix: 'SUFFIX' }

  it('stand on their side of the boundary in cache order', () => {
    const { stable, dynamic } = buildSystemPrompt({ agent, order: 'cache', sections })
    expect(stable.endsWith('\n\nPREFIX')).toBe(true)
    expect(dynamic.startsWith('SUFFIX\n\n')).toBe(true)
  })

  it('stand around the sections in seed order', () => {
    const prompt = buildSystemPrompt({ agent, sections })
    expect(prompt.text).toMatch(/^PREFIX\n\nYou are[^]*\n\nSUFFIX$/)
    expect([idsOf(prompt)[0], idsOf(prompt).at(-1)]).toEqual(['prefix', 'suffix'])
  })

  it('replace a section where it would be shown, and nowhere else', () => {
    const overrides = { '2': 'OWN TOOLING', '4': 'OWN SKILLS', '12': ' ' }
    const prompt = buildSystemPrompt({ agent, sections: { overrides } })
    expect(prompt.text).toContain('OWN TOOLING')
    expect(prompt.text).not.toContain('## Tooling')
    expect(prompt.text).not.toContain('OWN SKILLS')
    expect(idsOf(prompt)).not.toContain('12')
  })

  it.each(['seed', 'cache'] as const)('leave chat data and the user in order %s', (order) => {
    const overrides = { '1': 'OWN IDENTITY', '11': 'OWN FILES' }
    const { text } = buildSystemPrompt({ ...everything, order, sections: { overrides } })
    expect(text.startsWith('OWN IDENTITY\n\n')).toBe(true)
    expect(text).toContain('OWN FILES')
    expect(text).toContain('<current_chat>')
    expect(text).toContain('TEAM.md')
  })
})

describe('what is refused', () => {
  it.each([
    [{ mode: 'fuller' }, 'mode'],
    [{ mode: null }, 'mode'],
    [{ mode: 'toString' }, 'mode'],
    [{ order: 'random' }, 'order'],
    [{ sessionKind: 'party' }, 'sessionKind'],
    [{ agent: { key: ' ', type: 'open' } }, 'agent.key'],
    [{ agent: { key: 'a', type: 'shut' } }, 'agent.type'],
    [{ agent: { key: 'a' } }, 'agent.type'],
    [{ channel: { kind: 'crowd' } }, 'channel.kind'],
    [{ skills: { mode: 'all' } }, 'skills.mode'],
    [{ time: { now: new Date(Number.NaN) } }, 'time.now'],
    [{ contextFiles: [{ name: 'A', content: '', origin: 'else' }] }, 'contextFiles.0.origin'],
    [{ sections: { overrides: { '3': 'No rules' } } }, 'sections.overrides.3'],
    [{ sections: { overrides: { '13': 'Lucky' } } }, 'sections.overrides.13'],
  ])('names the fault of %o', (fault, path) => {
    const input = { agent, ...fault } as unknown as SystemPromptInput
    const build = (): unknown => buildSystemPrompt(input)
    expect(build).toThrow(InvalidInputError)
    expect(build).toThrow(path)
  })

  it('names every fault at once', () => {
    const input = { agent, mode: 'x', order: 'y' } as unknown as SystemPromptInput
    expect(() => buildSystemPrompt(input)).toThrow(
      expect.objectContaining({
        issues: [
          expect.objectContaining({ path: 'mode' }),
          expect.objectContaining({ path: 'order' }),
        ],
      }),
    )
  })
})
