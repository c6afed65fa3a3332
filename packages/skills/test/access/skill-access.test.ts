import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkVisibility,
  explainSkillAccess,
  selectAccessibleSkills,
  type SkillCaller,
  type SkillCandidate,
} from '../../src/index.js'

type Managed = NonNullable<SkillCandidate['managed']>
const stored = (managed: Partial<Managed>, slug = 'pdf'): SkillCandidate => ({
  slug,
  enabled: true,
  managed: {
    visibility: 'private',
    status: 'active',
    ownerUserId: 'ana',
    ownerAgentId: undefined,
    agentGrant: undefined,
    userGrant: undefined,
    ...managed,
  },
})
const caller: SkillCaller = { agentId: 'agent', userId: 'ana' }
const bob: SkillCaller = { agentId: 'agent', userId: 'bob' }
const nobody: SkillCaller = { agentId: 'agent', userId: '' }
const agentGrant = { pinnedVersion: 2, canManage: false }
const userGrant = { canManage: true }

describe('the seed’s access modes', () => {
  it.each([
    ['private: only the owner', stored({}), caller, 'owner'],
    ['private: nobody else', stored({}), bob, 'not_owner'],
    [
      'internal: an agent grant',
      stored({ visibility: 'internal', agentGrant }),
      bob,
      'agent_grant',
    ],
    ['internal: a user grant', stored({ visibility: 'internal', userGrant }), bob, 'user_grant'],
    ['internal: no grant', stored({ visibility: 'internal' }), bob, 'not_granted'],
    ['public: all agents and users', stored({ visibility: 'public' }), nobody, 'public'],
  ])('%s', (_, candidate, who, reason) => {
    expect(explainSkillAccess(candidate, who).reason).toBe(reason)
  })
})

describe('the seed’s allow list', () => {
  const candidates = ['billing-faq', 'returns', 'secret'].map((slug) =>
    stored({ visibility: slug === 'secret' ? 'internal' : 'public' }, slug),
  )
  const select = (lists: Partial<SkillCaller>) =>
    selectAccessibleSkills(candidates, { ...bob, ...lists }).map(({ slug }) => slug)

  it.each([
    ['nil', null, ['billing-faq', 'returns']],
    ['nothing given', undefined, ['billing-faq', 'returns']],
    ['[]', [], []],
    ['names', ['returns'], ['returns']],
    ['unknown names and what may not be used', ['returns', 'none', 'secret'], ['returns']],
  ])('%s', (_, allowList, expected) => {
    expect(select({ allowList })).toEqual(expected)
  })

  it.each([
    ['replaces the list', ['billing-faq'], ['billing-faq']],
    ['replaces it also when it is empty', [], []],
    ['never reaches beyond what may be used', ['secret', 'billing-faq'], ['billing-faq']],
    ['is not there when it is null', null, ['returns']],
  ])('a request’s filter %s', (_, filter, expected) => {
    expect(select({ allowList: ['returns'], filter })).toEqual(expected)
  })
})

describe('explainSkillAccess', () => {
  it.each([
    ['nobody in particular owns nothing', stored({ ownerUserId: '' }), nobody, 'not_owner'],
    [
      'an agent owns what it made for nobody in particular',
      stored({ ownerUserId: '', ownerAgentId: 'agent' }),
      bob,
      'owner',
    ],
    [
      'an agent does not own what it made for a user',
      stored({ ownerUserId: 'ana', ownerAgentId: 'agent' }),
      bob,
      'not_owner',
    ],
    ['the owner needs no grant', stored({ visibility: 'internal' }), caller, 'owner'],
    [
      'a private skill is not opened by a grant',
      stored({ agentGrant, userGrant }),
      bob,
      'not_owner',
    ],
    [
      'nobody has no user grant',
      stored({ visibility: 'internal', userGrant }),
      nobody,
      'not_granted',
    ],
    ['archived', stored({ visibility: 'public', status: 'archived' }), caller, 'archived'],
    ['a folder is for all', { slug: 'x', enabled: true, managed: undefined }, nobody, 'folder'],
    ['switched off', { slug: 'x', enabled: false, managed: undefined }, caller, 'disabled'],
    [
      'a visibility that nobody knows',
      stored({ visibility: 'team' as 'public' }),
      caller,
      'not_granted',
    ],
  ])('%s', (_, candidate, who, reason) => {
    const answer = explainSkillAccess(candidate, who)
    expect(answer.reason).toBe(reason)
    expect(answer.accessible).toBe(['owner', 'folder'].includes(reason))
  })

  it('tells the pinned version of what may be used, and who may manage it in any case', () => {
    const pinned = stored({ visibility: 'internal', agentGrant, userGrant })
    expect(explainSkillAccess(pinned, bob)).toMatchObject({ pinnedVersion: 2, canManage: true })
    expect(explainSkillAccess(pinned, nobody)).toMatchObject({ pinnedVersion: 2, canManage: false })
    expect(explainSkillAccess({ ...pinned, enabled: false }, bob)).toMatchObject({
      pinnedVersion: undefined,
      canManage: true,
    })
    expect(explainSkillAccess(stored({}), caller).canManage).toBe(true)
  })
})

describe('selectAccessibleSkills', () => {
  it('takes the first of a slug that may be used', () => {
    const hidden = stored({ visibility: 'private' })
    const below: SkillCandidate = { slug: 'pdf', enabled: true, managed: undefined }
    expect(selectAccessibleSkills([hidden, below], bob)).toEqual([below])
    expect(selectAccessibleSkills([hidden, below], caller)).toEqual([hidden])
  })

  it('agrees with the rule, written down a second time', () => {
    const slug = fc.constantFrom('a', 'b', 'c', 'd')
    const user = fc.constantFrom('', 'ana', 'bob')
    const candidate: fc.Arbitrary<SkillCandidate> = fc.record({
      slug,
      enabled: fc.boolean(),
      managed: fc.option(
        fc.record({
          visibility: fc.constantFrom('private' as const, 'internal' as const, 'public' as const),
          status: fc.constantFrom('active' as const, 'archived' as const),
          ownerUserId: user,
          ownerAgentId: fc.constantFrom(undefined, 'one', 'two'),
          agentGrant: fc.option(
            fc.record({ pinnedVersion: fc.constantFrom(undefined, 1), canManage: fc.boolean() }),
            { nil: undefined },
          ),
          userGrant: fc.option(fc.record({ canManage: fc.boolean() }), { nil: undefined }),
        }),
        { nil: undefined },
      ),
    })
    const list = fc.option(fc.array(fc.constantFrom('a', 'b', 'c', 'z')), { nil: null })
    const who = fc.record({
      agentId: fc.constantFrom('one', 'two'),
      userId: user,
      allowList: list,
      filter: list,
    })
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 12 }), who, (candidates, asking) => {
        const mayUse = ({ slug: name, enabled, managed }: SkillCandidate): boolean => {
          if (!enabled || !(asking.filter ?? asking.allowList ?? [name]).includes(name))
            return false
          if (managed === undefined) return true
          if (managed.status === 'archived') return false
          const owns =
            managed.ownerUserId === ''
              ? managed.ownerAgentId === asking.agentId
              : managed.ownerUserId === asking.userId
          const granted =
            managed.agentGrant !== undefined ||
            (asking.userId !== '' && managed.userGrant !== undefined)
          return (
            managed.visibility === 'public' ||
            owns ||
            (managed.visibility === 'internal' && granted)
          )
        }
        const seen = new Set(
          candidates.filter(({ enabled }) => !enabled).map((entry) => entry.slug),
        )
        const expected = candidates.filter((entry) => {
          if (!mayUse(entry) || seen.has(entry.slug)) return false
          seen.add(entry.slug)
          return true
        })
        expect(selectAccessibleSkills(candidates, asking)).toEqual(expected)
        for (const entry of candidates) {
          expect(explainSkillAccess(entry, asking).accessible).toBe(mayUse(entry))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('checkVisibility', () => {
  it.each([
    ['', 'private'],
    ['  ', 'private'],
    [' Public ', 'public'],
    ['INTERNAL', 'internal'],
  ])('reads %j as %s', (text, visibility) => {
    expect(checkVisibility(text)).toBe(visibility)
  })

  it.each(['team', 'shared', 'constructor'])('refuses %j', (text) => {
    expect(() => checkVisibility(text)).toThrow(/must be one of private, internal, public/)
  })
})
