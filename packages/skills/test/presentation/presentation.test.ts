import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planSkillPresentation, renderSkillSummary } from '../../src/index.js'

/** So many skills whose names and descriptions have so many tokens together. */
const skillsOf = (count: number, tokens: number) =>
  Array.from({ length: count }, (_, index) => ({
    slug: `skill-${String(index).padStart(2, '0')}`,
    name: 'n',
    description: index === 0 ? 'd'.repeat(tokens * 4 - (count - 1) - 1) : '',
  }))

describe('the seed’s choice of inline or search', () => {
  it.each([
    [20, 3_500, 'inline'],
    [21, 3_500, 'search'],
    [20, 3_501, 'search'],
    [1, 3_501, 'search'],
    [1, 1, 'inline'],
  ])('%i skills and %i tokens: %s', (count, tokens, mode) => {
    const plan = planSkillPresentation(skillsOf(count, tokens))
    expect(plan).toMatchObject({ mode, tokens })
    expect(plan.listed).toHaveLength(mode === 'inline' ? count : 0)
  })

  it('no skills: nothing at all', () => {
    expect(planSkillPresentation([])).toMatchObject({ mode: 'none', listed: [], pinned: [] })
  })

  it('takes other limits', () => {
    expect(planSkillPresentation(skillsOf(3, 10), { maxInlineSkills: 2 }).mode).toBe('search')
    expect(planSkillPresentation(skillsOf(3, 10), { maxInlineTokens: 9 }).mode).toBe('search')
  })

  it('lists pinned skills in either mode, once, and ten at most', () => {
    const skills = skillsOf(30, 100)
    const pinned = [...skills.slice(5, 18).map(({ slug }) => slug), 'none', 'skill-05']
    const many = planSkillPresentation(skills, { pinned })
    expect(many.pinned.map(({ slug }) => slug)).toEqual(pinned.slice(0, 10))
    const few = planSkillPresentation(skills.slice(0, 8), { pinned })
    expect(few.pinned.map(({ slug }) => slug)).toEqual(['skill-05', 'skill-06', 'skill-07'])
    expect(few.listed).toHaveLength(5)
  })
})

describe('renderSkillSummary', () => {
  const skill = {
    slug: 'pdf',
    name: 'PDF',
    description: 'Reads PDF',
    location: '/skills/pdf/SKILL.md',
  }

  it('gives a block with each skill, and nothing for none', () => {
    expect(renderSkillSummary([skill])).toBe(
      `<available_skills>
  <skill>
    <name>PDF</name>
    <description>Reads PDF</description>
    <location>/skills/pdf/SKILL.md</location>
  </skill>
</available_skills>`,
    )
    expect(renderSkillSummary([])).toBe('')
  })

  it('cuts descriptions at 200 characters, and bodies at 8,192 bytes', () => {
    const exact = renderSkillSummary([
      { ...skill, description: 'd'.repeat(200), body: 'é'.repeat(4_096) },
    ])
    expect(exact).toContain(`${'d'.repeat(200)}</description>`)
    expect(exact).toContain(`${'é'.repeat(4_096)}</body>`)
    const cut = renderSkillSummary([
      { ...skill, description: 'd'.repeat(201), body: `a${'é'.repeat(4_096)}` },
    ])
    expect(cut).toContain(`<description>${'d'.repeat(200)}…</description>`)
    expect(cut).toContain(`<body>a${'é'.repeat(4_095)}\n[…truncated`)
  })

  it('lets nothing out of its element', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string(),
        fc.string(),
        (name, description, location, body) => {
          const rendered = renderSkillSummary([{ slug: 'x', name, description, location, body }])
          expect(rendered.match(/<[^>]*>/g)).toHaveLength(12)
        },
      ),
    )
  })
})
