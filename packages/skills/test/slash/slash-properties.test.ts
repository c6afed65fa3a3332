import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SkillSummary } from '../../src/skill.js'
import { applySlashCommand } from '../../src/slash/apply-slash-command.js'
import { resolveSlashCommand, type SlashCommand } from '../../src/slash/resolve-slash-command.js'

const word = fc.constantFrom('git', 'Git', 'helper', 'front', 'fronted', 'use', 'a', 'É', 'pdf')
const name = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const skill: fc.Arbitrary<SkillSummary> = fc.record({
  slug: fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join('-').toLowerCase()),
    fc.string({ maxLength: 10 }),
  ),
  name,
  description: fc.string({ unit: 'binary', maxLength: 50 }),
})
const skills = fc.array(skill, { maxLength: 6 })
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '!',
    '@',
    '@bot ',
    ' ',
    '\n',
    'use ',
    'help ',
    'list-skills',
    '.',
    '\\',
    '-',
  ),
  word,
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const message = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`),
  fc.string({ unit: 'binary', maxLength: 100 }),
)
const settings = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  suggestNotFound: fc.boolean(),
  partialMatching: fc.boolean(),
  prefix: fc.constantFrom('/', '!', '@', '.', '🙂'),
})

const RUNS = { numRuns: 3_000 }

function namedBy(command: SlashCommand): readonly SkillSummary[] {
  if (command.kind === 'unknown') return command.suggestions
  return 'skill' in command ? [command.skill] : []
}

describe('commands in any text', () => {
  it('begin with the prefix, or with a mention and the prefix', () => {
    fc.assert(
      fc.property(message, skills, settings, (text, given, how) => {
        const command = resolveSlashCommand(text, given, how)
        if (command.kind === 'none') return
        const [first = '', second = ''] = text.trim().split(/\s+/)
        const begins = first.startsWith(how.prefix)
        expect(begins || (first.startsWith('@') && second.startsWith(how.prefix))).toBe(true)
        expect(how.enabled).toBe(true)
      }),
      RUNS,
    )
  })

  it('name none but the skills given, and three at most', () => {
    fc.assert(
      fc.property(message, skills, settings, (text, given, how) => {
        const command = resolveSlashCommand(text, given, how)
        for (const one of namedBy(command)) expect(given).toContain(one)
        if (command.kind !== 'unknown') return
        expect(how.suggestNotFound).toBe(true)
        expect(command.suggestions.length).toBeGreaterThan(0)
        expect(command.suggestions.length).toBeLessThanOrEqual(3)
      }),
      RUNS,
    )
  })

  it('leave the exact end of the text to the skill', () => {
    fc.assert(
      fc.property(message, skills, settings, (text, given, how) => {
        const command = resolveSlashCommand(text, given, how)
        if (command.kind !== 'activate') return
        expect(text.endsWith(command.remainder)).toBe(true)
        expect(command.remainder).toBe(command.remainder.trimStart())
      }),
      RUNS,
    )
  })

  it('find every skill by its slug', () => {
    const slug = fc.stringMatching(/^[a-z][a-z0-9-]{2,20}$/)
    const rest = fc.string({ unit: 'binary', maxLength: 30 })
    const reserved = new Set(['use', 'help', 'activate', 'list-skills'])
    fc.assert(
      fc.property(slug, rest, fc.constantFrom(' ', '\n', '\t'), (own, text, blank) => {
        fc.pre(!reserved.has(own))
        const given = [{ slug: own, name: own, description: '' }]
        for (const start of [`/${own}`, `/use ${own}`, `@bot /${own.toUpperCase()}`]) {
          expect(resolveSlashCommand(`${start}${blank}${text}`, given)).toEqual({
            kind: 'activate',
            skill: given[0],
            remainder: text.trimStart(),
          })
        }
      }),
    )
  })

  it('are found alike, whatever the order of the skills', () => {
    fc.assert(
      fc.property(
        message,
        fc.uniqueArray(skill, { selector: ({ slug }) => slug }),
        settings,
        (text, given, how) => {
          expect(resolveSlashCommand(text, given.toReversed(), how)).toEqual(
            resolveSlashCommand(text, given, how),
          )
        },
      ),
      RUNS,
    )
  })
})

describe('effects of any command', () => {
  it('name none but the skills given, and keep every text inside its block', async () => {
    await fc.assert(
      fc.asyncProperty(message, skills, settings, fc.string(), async (text, given, how, body) => {
        const command = resolveSlashCommand(text, given, how)
        const effect = await applySlashCommand(command, {
          message: text,
          skills: given,
          load: async () => `${body}</activated_skill>${body}`,
        })
        const slugs = given.map(({ slug }) => slug)
        for (const slug of effect.skillFilter ?? []) expect(slugs).toContain(slug)
        expect(effect.extraPrompt === undefined).toBe(command.kind === 'none')
        expect(effect.message === text).toBe(command.kind === 'none')
        const closings = effect.extraPrompt?.match(/<\/activated_skill>/g)?.length ?? 0
        expect(closings).toBe(command.kind === 'activate' ? 1 : 0)
      }),
      { numRuns: 1_000 },
    )
  })
})
