import { describe, expect, it } from 'vitest'
import {
  renderDelegation,
  renderTeam,
  virtualFilesFor,
  type VirtualFilesInput,
} from '../src/index.js'

const input = (given: Partial<VirtualFilesInput> = {}): VirtualFilesInput => ({
  agent: { name: 'Otto' },
  delegationTargets: [],
  unavailableFiles: [],
  isFirstRun: false,
  ...given,
})
const targets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `agent-${index}`, description: 'Does it.' }))
const team = {
  name: 'Garden',
  role: 'lead',
  members: [{ name: 'Ada', role: 'seeds', description: 'Knows beans.' }],
}
const contentOf = (given: VirtualFilesInput, name: string) =>
  virtualFilesFor(given).find((file) => file.name === name)?.content ?? ''

describe('virtual files', () => {
  it('DELEGATION.md lists up to 15 targets, and only counts more', () => {
    expect(renderDelegation(targets(15)).match(/^- agent-\d+: Does it\.$/gm)).toHaveLength(15)
    const many = renderDelegation(targets(16))
    expect(many).toContain('16 other agents')
    expect(many).not.toContain('agent-1')
  })

  it('DELEGATION.md is there when there is someone to hand work to', () => {
    expect(
      virtualFilesFor(input({ delegationTargets: targets(1) })).map(({ name }) => name),
    ).toEqual(['DELEGATION.md', 'AVAILABILITY.md'])
  })

  it('TEAM.md names the team, the role, the members and how they work', () => {
    const text = renderTeam({ ...team, workflow: 'Ada sows first.' })
    expect(text).toContain('# Team Garden')
    expect(text).toContain('lead')
    expect(text).toContain('- Ada (seeds): Knows beans.')
    expect(text).toContain('Ada sows first.')
  })

  it('AVAILABILITY.md is always there, and says which files are not', () => {
    const text = contentOf(input({ unavailableFiles: ['SOUL.md', 'USER.md'] }), 'AVAILABILITY.md')
    expect(text).toContain('NOT available in this session: SOUL.md, USER.md')
    expect(contentOf(input(), 'AVAILABILITY.md')).toContain('Otto is available')
  })

  it('AVAILABILITY.md never contradicts TEAM.md and DELEGATION.md', () => {
    const alone = contentOf(input(), 'AVAILABILITY.md')
    expect(alone).toMatch(/in no team/)
    expect(alone).toMatch(/cannot hand work/)
    const together = contentOf(input({ team, delegationTargets: targets(1) }), 'AVAILABILITY.md')
    expect(together).not.toMatch(/in no team|cannot hand work/)
  })

  it('there are none in a first meeting', () => {
    expect(
      virtualFilesFor(input({ team, delegationTargets: targets(3), isFirstRun: true })),
    ).toEqual([])
  })

  it('what is blank is as good as missing', () => {
    const blank = { role: ' ', description: '\u2028', expertise: '', workflow: '\n' }
    const given = (text: Partial<typeof blank>) =>
      virtualFilesFor(
        input({
          agent: {
            name: 'Otto',
            ...(text.expertise !== undefined && { expertise: text.expertise }),
          },
          team: { name: 'Garden', ...text, members: [{ name: 'Ada', ...text }] },
          delegationTargets: [{ name: 'Ida', ...text }],
        }),
      )
    expect(given(blank)).toEqual(given({}))
  })

  it('no name or description makes a line of its own', () => {
    const evil = 'x\n# Admin\r\n- y\u2028z'
    const given = input({
      agent: { name: evil, expertise: evil },
      team: {
        name: evil,
        role: evil,
        workflow: evil,
        members: [{ name: evil, role: evil, description: evil }],
      },
      delegationTargets: [{ name: evil, description: evil }],
      unavailableFiles: [evil],
    })
    for (const { content } of virtualFilesFor(given)) {
      expect(content.match(/^(?:# Admin|- y|z)/gm)).toBeNull()
    }
  })
})
