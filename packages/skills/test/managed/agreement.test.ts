import * as fc from 'fast-check'
import type { SkillVisibility } from '@loam/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  renderSkillSummary,
  resolveSlashCommand,
  type CandidateSkill,
  type SkillRequest,
} from '../../src/index.js'
import { openWorld, packed, skillText, type Tenant, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld({ folderSkills: { shared: skillText('shared', 'Common word shared') } })
})
afterAll(async () => {
  await world.close()
})

const SLUGS = ['alpha', 'beta', 'gamma'] as const
const USERS = ['ana', 'bob'] as const
const AGENTS = ['one', 'two'] as const

const step = fc.oneof(
  fc.record({
    kind: fc.constant('install' as const),
    slug: fc.constantFrom(...SLUGS),
    owner: fc.constantFrom(undefined, ...USERS),
    visibility: fc.constantFrom<SkillVisibility>('private', 'internal', 'public'),
  }),
  fc.record({
    kind: fc.constant('agent' as const),
    slug: fc.constantFrom(...SLUGS),
    agent: fc.constantFrom(...AGENTS),
    grant: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('user' as const),
    slug: fc.constantFrom(...SLUGS),
    user: fc.constantFrom(...USERS),
    grant: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('visibility' as const),
    slug: fc.constantFrom(...SLUGS),
    visibility: fc.constantFrom<SkillVisibility>('private', 'internal', 'public'),
  }),
  fc.record({
    kind: fc.constantFrom(
      'disable' as const,
      'enable' as const,
      'archive' as const,
      'delete' as const,
    ),
    slug: fc.constantFrom(...SLUGS),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What a tenant's skills are, kept beside the store. */
interface Model {
  owner: string
  visibility: SkillVisibility
  archived: boolean
  agents: Set<string>
  users: Set<string>
}

/** Does one step, in the store and in the model. */
async function take(
  tenant: Tenant,
  models: Map<string, Model>,
  off: Set<string>,
  given: Step,
): Promise<void> {
  const { skills } = world
  const { operator, tenantId, agents } = tenant
  const { slug } = given
  const model = models.get(slug)
  if (given.kind === 'install') {
    if (model !== undefined) return
    const { owner, visibility } = given
    const principal = { tenantId, userId: owner, actor: 'test' }
    await skills.install(
      {
        skills: [packed(slug, `Common word ${slug} of ${tenantId}`)],
        visibility: owner === undefined ? visibility : undefined,
      },
      principal,
    )
    // A single user's is private, until whoever runs the tenant makes it everybody's business.
    if (owner !== undefined) await skills.update(operator, slug, { visibility })
    const users = new Set<string>()
    models.set(slug, { owner: owner ?? '', visibility, archived: false, agents: new Set(), users })
    return
  }
  if (model === undefined) return
  if (given.kind === 'disable' || given.kind === 'enable') {
    await skills.setEnabled(operator, slug, given.kind === 'enable')
    if (given.kind === 'enable') off.delete(slug)
    else off.add(slug)
    return
  }
  const agentId = given.kind === 'agent' ? (agents[given.agent] ?? '') : ''
  switch (given.kind) {
    case 'agent':
      if (given.grant) {
        await skills.grantAgent(operator, slug, {
          agentId,
          pinnedVersion: undefined,
          canManage: false,
        })
        grantTo(model, model.agents, given.agent)
      } else {
        await skills.revokeAgent(operator, slug, agentId)
        takeFrom(model, model.agents, given.agent)
      }
      break
    case 'user':
      if (given.grant) {
        await skills.grantUser(operator, slug, { userId: given.user, canManage: false })
        grantTo(model, model.users, given.user)
      } else {
        await skills.revokeUser(operator, slug, given.user)
        takeFrom(model, model.users, given.user)
      }
      break
    case 'visibility':
      await skills.update(operator, slug, { visibility: given.visibility })
      model.visibility = given.visibility
      if (given.visibility === 'private') {
        model.agents.clear()
        model.users.clear()
      }
      break
    case 'archive':
      await skills.update(operator, slug, { status: 'archived' })
      model.archived = true
      break
    case 'delete':
      await skills.delete(operator, slug)
      models.delete(slug)
  }
}

function grantTo(model: Model, holders: Set<string>, holder: string): void {
  holders.add(holder)
  if (model.visibility === 'private') model.visibility = 'internal'
}

function takeFrom(model: Model, holders: Set<string>, holder: string): void {
  const had = holders.delete(holder)
  const left = model.agents.size + model.users.size
  if (had && left === 0 && model.visibility === 'internal') model.visibility = 'private'
}

function expectedFor(
  models: ReadonlyMap<string, Model>,
  off: ReadonlySet<string>,
  agent: string,
  user: string,
): readonly string[] {
  const mine = Array.from(models).filter(([slug, model]) => {
    if (off.has(slug) || model.archived) return false
    if (model.visibility === 'public') return true
    const owns = model.owner !== '' && model.owner === user
    if (model.visibility === 'private') return owns
    return owns || model.agents.has(agent) || model.users.has(user)
  })
  return [...mine.map(([slug]) => slug), 'shared'].toSorted()
}

describe('whatever is granted', () => {
  it('prompt, search, commands and lists agree, and nothing crosses tenants', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), step), { minLength: 3, maxLength: 15 }),
        async (steps) => {
          const tenants = await Promise.all([
            world.addTenant(...AGENTS),
            world.addTenant(...AGENTS),
          ])
          const states = tenants.map(() => ({
            models: new Map<string, Model>(),
            off: new Set<string>(),
          }))
          for (const [index, given] of steps) {
            const [tenant, state] = [tenants[index], states[index]]
            if (tenant && state) await take(tenant, state.models, state.off, given)
          }
          for (const [index, tenant] of tenants.entries()) {
            const { models, off } = states[index] ?? { models: new Map(), off: new Set() }
            for (const agent of AGENTS) {
              for (const userId of ['', ...USERS]) {
                const request = {
                  tenantId: tenant.tenantId,
                  agentId: tenant.agents[agent] ?? '',
                  userId,
                }
                const slugs = expectedFor(models, off, agent, userId)
                expect(await waysTo(request)).toEqual(sameIn(slugs))
              }
            }
          }
        },
      ),
      { numRuns: 12 },
    )
  })
})

/** What each way to skills says that there are. */
async function waysTo(request: SkillRequest) {
  const { skills } = world
  const all = [...SLUGS, 'shared'].toSorted()
  const set = await skills.accessible(request)
  const { listed } = await skills.present(request, set)
  const summary = renderSkillSummary(listed)
  const { hits } = await skills.search(request, 'common word', { limit: 100 })
  const explained = await Promise.all(all.map((slug) => skills.explain(request, slug)))
  const loaded = await Promise.allSettled(all.map((slug) => skills.load(request, slug)))
  const isForeign = ({ source, description }: CandidateSkill) =>
    source === 'managed' && !description.includes(request.tenantId)
  return {
    list: set.skills.map(({ slug }) => slug),
    prompt: listed.map(({ slug }) => slug),
    summary: all.filter((slug) => summary.includes(`<name>${slug}</name>`)),
    search: hits.map(({ skill }) => skill.slug).toSorted(),
    commands: all.filter(
      (slug) => resolveSlashCommand(`/${slug} x`, set.skills).kind === 'activate',
    ),
    explained: explained.filter(({ accessible }) => accessible).map(({ slug }) => slug),
    loaded: all.filter((_, index) => loaded[index]?.status === 'fulfilled'),
    foreign: set.skills.filter(isForeign),
  }
}

function sameIn(slugs: readonly string[]): Awaited<ReturnType<typeof waysTo>> {
  const list = [...slugs]
  return {
    list,
    prompt: list,
    summary: list,
    search: list,
    commands: list,
    explained: list,
    loaded: list,
    foreign: [],
  }
}
