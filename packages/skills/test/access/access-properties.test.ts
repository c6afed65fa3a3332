import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainSkillAccess } from '../../src/access/explain-skill-access.js'
import { selectAccessibleSkills } from '../../src/access/select-accessible-skills.js'
import {
  SKILL_ACCESS_REASONS,
  type SkillCaller,
  type SkillCandidate,
} from '../../src/access/skill-access.js'

const slug = fc.constantFrom('a', 'b', 'c')
const user = fc.constantFrom('', 'ana', 'ben')
const agent = fc.constantFrom('scout', 'scribe')
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const candidate: fc.Arbitrary<SkillCandidate> = fc.record({
  slug,
  enabled: fc.integer({ min: 0, max: 5 }).map((roll) => roll > 0),
  managed: maybe(
    fc.record({
      visibility: fc.constantFrom('private', 'internal', 'public'),
      status: fc.constantFrom('active', 'active', 'archived'),
      ownerUserId: user,
      ownerAgentId: maybe(agent),
      agentGrant: maybe(
        fc.record({
          pinnedVersion: maybe(fc.integer({ min: 1, max: 9 })),
          canManage: fc.boolean(),
        }),
      ),
      userGrant: maybe(fc.record({ canManage: fc.boolean() })),
    }),
  ),
})
const candidates = fc.array(candidate, { maxLength: 10 })
const list = fc.option(fc.array(fc.constantFrom('a', 'b', 'c', 'unknown'), { maxLength: 4 }))
const caller: fc.Arbitrary<SkillCaller> = fc.record({
  agentId: agent,
  userId: user,
  allowList: list,
  filter: list,
})

/** The formula of spec 03, 4.7, as it stands there; lists apart. */
function isGranted({ managed, enabled }: SkillCandidate, who: SkillCaller): boolean {
  if (managed === undefined) return enabled
  const isActor = managed.ownerUserId === '' && managed.ownerAgentId === who.agentId
  const isOwner = (who.userId !== '' && managed.ownerUserId === who.userId) || isActor
  const isPublic = managed.visibility === 'public'
  const isPrivate = managed.visibility === 'private' && isOwner
  const hasUserGrant = managed.userGrant !== undefined && who.userId !== ''
  const isInternal =
    managed.visibility === 'internal' &&
    (managed.agentGrant !== undefined || hasUserGrant || isOwner)
  return managed.status === 'active' && enabled && (isPublic || isPrivate || isInternal)
}

function isListed(name: string, { allowList, filter }: SkillCaller): boolean {
  const names = filter ?? allowList ?? undefined
  return names === undefined ? true : names.indexOf(name) !== -1
}

/** By going through every pair. */
function select(all: readonly SkillCandidate[], who: SkillCaller): readonly SkillCandidate[] {
  const usable = all.filter(
    (one) =>
      isGranted(one, who) &&
      isListed(one.slug, who) &&
      all.every((other) => other.slug !== one.slug || other.enabled),
  )
  return usable.filter(
    (one, place) => !usable.some((other, before) => before < place && other.slug === one.slug),
  )
}

const RUNS = { numRuns: 1_000 }

describe('access of random skills', () => {
  it('is what the formula says', () => {
    fc.assert(
      fc.property(candidate, caller, (one, who) => {
        const access = explainSkillAccess(one, who)
        expect(access.accessible).toBe(isGranted(one, who) && isListed(one.slug, who))
        expect(SKILL_ACCESS_REASONS).toContain(access.reason)
        const pinned = access.accessible ? one.managed?.agentGrant?.pinnedVersion : undefined
        expect(access.pinnedVersion).toBe(pinned)
      }),
      RUNS,
    )
  })

  it('is selected as by comparing each with each', () => {
    fc.assert(
      fc.property(candidates, caller, (all, who) => {
        expect(selectAccessibleSkills(all, who)).toEqual(select(all, who))
      }),
      RUNS,
    )
  })

  it('is never widened by a filter or an allow list', () => {
    fc.assert(
      fc.property(candidates, caller, (all, who) => {
        const most = selectAccessibleSkills(all, { ...who, allowList: null, filter: null })
        for (const one of selectAccessibleSkills(all, who)) expect(most).toContain(one)
      }),
      RUNS,
    )
  })

  it('is nothing for a user without an id but what their agent and all may use', () => {
    fc.assert(
      fc.property(candidate, agent, (one, agentId) => {
        const { reason, accessible } = explainSkillAccess(one, { agentId, userId: '' })
        expect(reason).not.toBe('user_grant')
        const isOfAgent = one.managed?.ownerUserId === '' && one.managed.ownerAgentId === agentId
        const isPrivate = accessible && one.managed?.visibility === 'private'
        expect(isOfAgent || (reason !== 'owner' && !isPrivate)).toBe(true)
      }),
      RUNS,
    )
  })

  it('gives each slug once, in the order given', () => {
    fc.assert(
      fc.property(candidates, caller, (all, who) => {
        const selected = selectAccessibleSkills(all, who)
        const places = selected.map((one) => all.indexOf(one))
        expect(places).toEqual(places.toSorted((one, other) => one - other))
        expect(new Set(selected.map((one) => one.slug)).size).toBe(selected.length)
      }),
      RUNS,
    )
  })

  it('lets only owners and those with a grant to manage change a skill', () => {
    fc.assert(
      fc.property(candidate, caller, (one, who) => {
        const { managed } = one
        const owns =
          managed !== undefined &&
          (managed.ownerUserId === ''
            ? managed.ownerAgentId === who.agentId
            : managed.ownerUserId === who.userId)
        const granted =
          managed?.agentGrant?.canManage === true ||
          (who.userId !== '' && managed?.userGrant?.canManage === true)
        expect(explainSkillAccess(one, who).canManage).toBe(owns || granted)
      }),
      RUNS,
    )
  })
})
