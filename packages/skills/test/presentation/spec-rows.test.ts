import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cutBody,
  planSkillPresentation,
  renderSkillSummary,
  type ShownSkill,
} from '../../src/index.js'

const skill = (parts: Partial<ShownSkill> = {}): ShownSkill => ({
  slug: 'pdf',
  name: 'PDF',
  description: 'Reads',
  ...parts,
})
const many = (count: number, length = 0) =>
  Array.from({ length: count }, (_, index) => ({
    slug: `s${index}`,
    name: '',
    description: 'd'.repeat(length),
  }))
const inner = (rendered: string, element: string) =>
  new RegExp(`<${element}>([^]*)</${element}>`).exec(rendered)?.[1]

describe('4.4 summary XML', () => {
  it('one skill element per item, in the order given', () => {
    const rendered = renderSkillSummary([skill({ name: 'b' }), skill({ name: 'a' })])
    expect(rendered.match(/<name>.<\/name>/g)).toEqual(['<name>b</name>', '<name>a</name>'])
    expect(rendered.match(/<skill>/g)).toHaveLength(2)
    expect(rendered.match(/^<available_skills>\n[^]*\n<\/available_skills>$/)).not.toBeNull()
  })

  it('empty set: empty string', () => {
    expect(renderSkillSummary([])).toBe('')
  })

  it.each([
    ['200 characters', 'd'.repeat(200), 'd'.repeat(200)],
    ['201 characters', 'd'.repeat(201), `${'d'.repeat(200)}…`],
    ['ampersands, counted before they are escaped', '&'.repeat(201), `${'&amp;'.repeat(200)}…`],
    ['a character of two places at the cut', `${'d'.repeat(199)}📏📏`, `${'d'.repeat(199)}…`],
    ['nothing', '', ''],
  ])('description cut at 200 characters and an ellipsis: %s', (_, description, expected) => {
    expect(inner(renderSkillSummary([skill({ description })]), 'description')).toBe(expected)
  })

  it.each(['name', 'description', 'location', 'body'] as const)(
    '&, < and > are escaped in %s',
    (part) => {
      const rendered = renderSkillSummary([skill({ [part]: '</skill><b>&amp;' })])
      expect(inner(rendered, part)).toBe('&lt;/skill&gt;&lt;b&gt;&amp;amp;')
    },
  )

  it('location and body only where they are given', () => {
    expect(renderSkillSummary([skill()])).not.toMatch(/<(?:location|body)>/)
    expect(
      inner(renderSkillSummary([skill({ location: '/a/SKILL.md', body: 'b' })]), 'location'),
    ).toBe('/a/SKILL.md')
  })

  it.each([
    ['8,192 bytes', 'b'.repeat(8_192), 'b'.repeat(8_192), false],
    ['one byte more', 'b'.repeat(8_193), 'b'.repeat(8_192), true],
    ['8,192 bytes of four each', '📏'.repeat(2_048), '📏'.repeat(2_048), false],
    ['a cut within two bytes', `b${'é'.repeat(4_096)}`, `b${'é'.repeat(4_095)}`, true],
    ['a cut within three bytes', '长'.repeat(2_731), '长'.repeat(2_730), true],
    ['a cut within four bytes', `bb${'📏'.repeat(2_048)}`, `bb${'📏'.repeat(2_047)}`, true],
  ])('body of 8,192 bytes, then a marker: %s', (_, body, head, isCut) => {
    const marker = '\n[…truncated, read SKILL.md for the rest…]'
    expect(cutBody(body)).toBe(isCut ? head + marker : head)
    expect(inner(renderSkillSummary([skill({ body })]), 'body')).toBe(cutBody(body))
  })

  it('a body is a beginning of the text, whatever is in it', () => {
    const unit = fc.constantFrom('a', 'é', '长', '📏', '\n')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1_900, maxLength: 9_000 }), (body) => {
        const [head = ''] = cutBody(body).split('\n[…truncated')
        expect(body.startsWith(head)).toBe(true)
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(8_192)
        expect(head === body || Buffer.byteLength(head) > 8_192 - 4).toBe(true)
      }),
    )
  })
})

describe('4.4 inline versus search', () => {
  it.each([
    ['20 skills', many(20), 'inline'],
    ['21 skills', many(21), 'search'],
    ['3500 tokens', many(1, 14_000), 'inline'],
    ['a quarter of a token more', many(1, 14_001), 'search'],
    ['3501 tokens', many(1, 14_004), 'search'],
    ['20 skills and 3500 tokens', many(20, 700), 'inline'],
    ['20 skills and 3505 tokens', many(20, 701), 'search'],
    ['one skill of nothing', many(1), 'inline'],
  ])('%s', (_, skills, mode) => {
    const plan = planSkillPresentation(skills)
    expect(plan).toMatchObject({ mode, listed: mode === 'inline' ? skills : [], pinned: [] })
  })

  it('names count as descriptions do, and slugs do not', () => {
    const one = { slug: 'x'.repeat(64), name: 'n'.repeat(10), description: 'd'.repeat(6) }
    expect(planSkillPresentation([one]).tokens).toBe(4)
  })

  it('zero skills: no section at all, whatever is pinned', () => {
    const plan = planSkillPresentation([], { pinned: ['pdf'] })
    expect(plan).toEqual({ mode: 'none', listed: [], pinned: [], tokens: 0 })
  })

  it.each([
    ['10 of 12, the first ones', many(30), many(12).map(({ slug }) => slug), 10, 'search'],
    ['none that there is not', many(30), ['none', 's3'], 1, 'search'],
    ['each once', many(30), ['s3', 's3', 's4'], 2, 'search'],
    ['in inline mode too', many(20), ['s3'], 1, 'inline'],
    ['__proto__ is no skill', many(3), ['__proto__', 'constructor'], 0, 'inline'],
  ])('pinned: %s', (_, skills, pinned, count, mode) => {
    const plan = planSkillPresentation(skills, { pinned })
    expect(plan.mode).toBe(mode)
    expect(plan.pinned).toHaveLength(count)
    expect(plan.listed.length + count).toBe(mode === 'inline' ? skills.length : count)
  })

  it('presents each skill at most once, and in inline mode each', () => {
    const skills = fc.uniqueArray(
      fc.record({
        slug: fc.stringMatching(/^[a-z]{2,3}$/),
        name: fc.string(),
        description: fc.string({ maxLength: 2_000 }),
      }),
      { maxLength: 25, selector: ({ slug }) => slug },
    )
    fc.assert(
      fc.property(skills, fc.array(fc.stringMatching(/^[a-z]{2,3}$/)), (given, others) => {
        const pinned = [...others, ...given.slice(0, 3).map(({ slug }) => slug)]
        const plan = planSkillPresentation(given, { pinned })
        const shown = [...plan.pinned, ...plan.listed].map(({ slug }) => slug)
        expect(new Set(shown).size).toBe(shown.length)
        expect(shown.length).toBe(plan.mode === 'inline' ? given.length : plan.pinned.length)
        expect(plan.mode === 'none').toBe(given.length === 0)
      }),
    )
  })
})
