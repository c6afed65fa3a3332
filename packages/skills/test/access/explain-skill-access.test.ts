import { describe, expect, it } from 'vitest'
import { explainSkillAccess } from '../../src/access/explain-skill-access.js'
import type {
  SkillAccessReason,
  SkillCaller,
  SkillCandidate,
} from '../../src/access/skill-access.js'
import { agentGrant, caller, folderSkill, storedSkill } from './candidates.js'

const userGrant = { canManage: false }
const shared = storedSkill({ visibility: 'public' })

/** The rows of the seed, section 12, "Access Modes", and what they leave open. */
const rows: readonly [
  what: string,
  candidate: SkillCandidate,
  reason: SkillAccessReason,
  who?: Partial<SkillCaller>,
][] = [
  ['a skill of a folder: everyone', folderSkill(), 'folder'],
  ['a skill of a folder: also nobody in particular', folderSkill(), 'folder', { userId: '' }],
  ['public: all agents and users', shared, 'public'],
  ['public: also without a user', shared, 'public', { userId: '' }],
  ['private: the user that owns it', storedSkill({ ownerUserId: 'ana' }), 'owner'],
  ['private: its owner, with another agent', storedSkill(), 'owner', { userId: 'ben' }],
  ['private: nobody else', storedSkill(), 'not_owner'],
  [
    'private: not the agent that made it for a user',
    storedSkill({ ownerAgentId: 'scout' }),
    'not_owner',
  ],
  ['private: not a user of another case', storedSkill({ ownerUserId: 'Ana' }), 'not_owner'],
  [
    'private without a user: the agent that made it',
    storedSkill({ ownerUserId: '', ownerAgentId: 'scout' }),
    'owner',
  ],
  ['private without a user: no other agent', storedSkill({ ownerUserId: '' }), 'not_owner'],
  [
    'private without a user or an agent: nobody',
    storedSkill({ ownerUserId: '', ownerAgentId: undefined }),
    'not_owner',
  ],
  [
    'private: no user id owns nothing',
    storedSkill({ ownerUserId: '' }),
    'not_owner',
    { userId: '' },
  ],
  [
    'private: no agent id owns nothing',
    storedSkill({ ownerUserId: '', ownerAgentId: '' }),
    'not_owner',
    { agentId: '', userId: '' },
  ],
  ['private: a grant does not open it', storedSkill({ agentGrant, userGrant }), 'not_owner'],
  ['internal: a granted agent', storedSkill({ visibility: 'internal', agentGrant }), 'agent_grant'],
  ['internal: a granted user', storedSkill({ visibility: 'internal', userGrant }), 'user_grant'],
  [
    'internal: of both grants the agent’s is named',
    storedSkill({ visibility: 'internal', agentGrant, userGrant }),
    'agent_grant',
  ],
  ['internal: its owner', storedSkill({ visibility: 'internal', ownerUserId: 'ana' }), 'owner'],
  [
    'internal: the agent that made it for nobody in particular',
    storedSkill({ visibility: 'internal', ownerUserId: '', ownerAgentId: 'scout' }),
    'owner',
  ],
  ['internal: nobody else', storedSkill({ visibility: 'internal' }), 'not_granted'],
  [
    'internal: no user id has no grant',
    storedSkill({ visibility: 'internal', userGrant }),
    'not_granted',
    { userId: '' },
  ],
  [
    'an unknown visibility: nobody',
    storedSkill({ visibility: 'team' as never, ownerUserId: 'ana', agentGrant }),
    'not_granted',
  ],
  ['archived: nobody', storedSkill({ visibility: 'public', status: 'archived' }), 'archived'],
  [
    'archived: not even its owner',
    storedSkill({ ownerUserId: 'ana', status: 'archived' }),
    'archived',
  ],
  ['switched off: a folder’s', folderSkill('pdf', false), 'disabled'],
  ['switched off: a stored one', { ...shared, enabled: false }, 'disabled'],
  ['allow list null: everything', shared, 'public', { allowList: null }],
  ['allow list undefined: everything', shared, 'public', { allowList: undefined }],
  ['allow list []: nothing', shared, 'not_in_allow_list', { allowList: [] }],
  ['allow list []: no folder’s skill', folderSkill(), 'not_in_allow_list', { allowList: [] }],
  ['allow list with it', shared, 'public', { allowList: ['billing-faq', 'pdf'] }],
  ['allow list without it', shared, 'not_in_allow_list', { allowList: ['billing-faq', 'returns'] }],
  [
    'allow list: names are slugs to the letter',
    shared,
    'not_in_allow_list',
    { allowList: ['PDF'] },
  ],
  ['allow list: gives nothing', storedSkill(), 'not_owner', { allowList: ['pdf'] }],
  [
    'filter null: the allow list counts',
    shared,
    'not_in_allow_list',
    { allowList: [], filter: null },
  ],
  ['filter set: takes its place', shared, 'public', { allowList: [], filter: ['pdf'] }],
  ['filter []: nothing', shared, 'not_in_filter', { allowList: null, filter: [] }],
  ['filter without it', shared, 'not_in_filter', { allowList: ['pdf'], filter: ['x'] }],
  ['filter: never widens', storedSkill(), 'not_owner', { filter: ['pdf'] }],
  ['filter: does not switch on', folderSkill('pdf', false), 'disabled', { filter: ['pdf'] }],
]

const ALLOWED = new Set(['folder', 'public', 'owner', 'agent_grant', 'user_grant'])

describe('explainSkillAccess', () => {
  it.each(rows)('%s', (_what, candidate, reason, who = {}) => {
    expect(explainSkillAccess(candidate, { ...caller, ...who })).toMatchObject({
      reason,
      accessible: ALLOWED.has(reason),
    })
  })
})

describe('managing', () => {
  const canManage = true
  it.each([
    ['the owner', storedSkill({ ownerUserId: 'ana' }), true],
    [
      'the owner of one that is public',
      storedSkill({ visibility: 'public', ownerUserId: 'ana' }),
      true,
    ],
    [
      'the owner of one that is archived',
      storedSkill({ ownerUserId: 'ana', status: 'archived' }),
      true,
    ],
    [
      'the owner of one that is off',
      { ...storedSkill({ ownerUserId: 'ana' }), enabled: false },
      true,
    ],
    [
      'the agent that made it for nobody',
      storedSkill({ ownerUserId: '', ownerAgentId: 'scout' }),
      true,
    ],
    [
      'an agent with a grant to manage',
      storedSkill({ visibility: 'internal', agentGrant: { ...agentGrant, canManage } }),
      true,
    ],
    [
      'a user with a grant to manage',
      storedSkill({ visibility: 'internal', userGrant: { canManage } }),
      true,
    ],
    ['grants to use only', storedSkill({ visibility: 'internal', agentGrant, userGrant }), false],
    ['anyone of one that is public', shared, false],
    ['anyone of a folder’s skill', folderSkill(), false],
    ['anyone of someone’s private skill', storedSkill(), false],
  ])('%s: %s', (_who, candidate, expected) => {
    expect(explainSkillAccess(candidate, caller).canManage).toBe(expected)
  })

  it('is not for a user without an id', () => {
    const granted = storedSkill({
      visibility: 'internal',
      ownerUserId: '',
      userGrant: { canManage },
    })
    expect(explainSkillAccess(granted, { ...caller, userId: '' }).canManage).toBe(false)
  })

  it('does not depend on the lists of the agent or the turn', () => {
    const own = storedSkill({ ownerUserId: 'ana' })
    expect(explainSkillAccess(own, { ...caller, allowList: [] })).toMatchObject({
      accessible: false,
      canManage: true,
    })
  })
})

describe('a pinned version', () => {
  const pinned = { pinnedVersion: 3, canManage: false }
  it.each([
    ['granted', storedSkill({ visibility: 'internal', agentGrant: pinned }), 3],
    ['public', storedSkill({ visibility: 'public', agentGrant: pinned }), 3],
    ['own', storedSkill({ ownerUserId: 'ana', agentGrant: pinned }), 3],
    ['granted without one', storedSkill({ visibility: 'internal', agentGrant }), undefined],
    ['someone else’s', storedSkill({ agentGrant: pinned }), undefined],
    [
      'archived',
      storedSkill({ visibility: 'public', status: 'archived', agentGrant: pinned }),
      undefined,
    ],
    ['of a folder', folderSkill(), undefined],
  ])('of a skill that is %s: %s', (_what, candidate, expected) => {
    expect(explainSkillAccess(candidate, caller).pinnedVersion).toBe(expected)
  })

  it('is none where a list leaves the skill out', () => {
    const granted = storedSkill({ visibility: 'public', agentGrant: pinned })
    expect(explainSkillAccess(granted, { ...caller, filter: [] }).pinnedVersion).toBeUndefined()
  })
})
