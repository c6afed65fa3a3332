import { LoamError, generateId } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Access, Storage, Stores } from '../storage.js'
import {
  NOW,
  sampleChunk,
  sampleDocument,
  sampleEpisode,
  sampleEvent,
  sampleMessage,
  sampleRun,
  sampleSkill,
  sampleSkillVersion,
} from './samples.js'
import { KEY, PATH, WORD, gather, markOf, seen, type Actor, type Tenant } from './isolation-view.js'
import type { OpenedStorage } from './suite.js'

async function createTenants(storage: Storage): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (let index = 0; index < 3; index += 1) {
    const [tenantId, agentId] = [generateId(), generateId()]
    await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
      await stores.tenants.ensure({ slug: tenantId, name: 'Tenant' })
      const agent = { id: agentId, key: KEY, type: 'open', settings: {} } as const
      await stores.agents.create({ ...agent, displayName: tenantId, description: undefined })
    })
    tenants.push({ tenantId, agentId })
  }
  return tenants
}

/** What an owner can do; each leaves the owner's mark wherever there is room for a text. */
const operations = {
  async say(stores: Stores, actor: Actor) {
    const { agentId, userId } = actor
    const session = {
      id: generateId(),
      agentId,
      key: `${KEY}-${userId}`,
      userId,
      kind: 'direct',
    } as const
    const ensured = await stores.sessions.ensure({ ...session, title: markOf(actor) })
    const sessionId = ensured.session.id
    const message = sampleMessage({ content: markOf(actor) })
    const [appended] = await stores.messages.append(sessionId, [message])
    const sequence = appended?.sequence ?? 0
    const owner = { source: 'messages', sessionId, sequence } as const
    await makeFindable(stores, actor, owner)
    const run = sampleRun({ sessionId, compactionSummary: markOf(actor) })
    await stores.runs.insertIfNew(run)
    await stores.outbox.publish(sampleEvent({ ...actor, sessionId }), [])
  },
  async write(stores: Stores, actor: Actor) {
    const { agentId, userId } = actor
    const { document } = await stores.documents.put(
      sampleDocument({ agentId, userId, path: PATH, content: markOf(actor) }),
    )
    await stores.chunks.deleteOf({ source: 'documents', documentId: document.id })
    await makeFindable(stores, actor, { source: 'documents', documentId: document.id })
  },
  async summarise(stores: Stores, actor: Actor) {
    const { agentId, userId } = actor
    await operations.say(stores, actor)
    const session = await stores.sessions.findByKey(agentId, `${KEY}-${userId}`)
    if (session === undefined) throw new Error('There is no session.')
    const covered = session.coveredSequence
    const episode = sampleEpisode({
      agentId,
      userId,
      sessionId: session.id,
      summary: markOf(actor),
      firstSequence: covered + 1,
      lastSequence: covered + 1,
    })
    await stores.episodes.insertIfNew(episode)
    await makeFindable(stores, actor, { source: 'episodes', episodeId: episode.id })
  },
  async spend(stores: Stores, actor: Actor) {
    const { tenantId, agentId, userId } = actor
    const call = { task: markOf(actor), kind: 'chat', provider: 'p', model: 'm' } as const
    const scope = { tenantId, agentId, userId }
    await stores.modelCalls.begin({ ...call, id: generateId(), scope, startedAt: NOW })
  },
  async become(stores: Stores, actor: Actor) {
    const { agentId, userId, tenantId } = actor
    const file = { agentId, userId, name: 'SOUL.md' }
    await stores.contextFiles.put({ ...file, content: markOf(actor) })
    await stores.contextFiles.put({ ...file, content: '' })
    await stores.contextFiles.put({ ...file, content: markOf(actor) })
    await stores.agentUsers.ensure(agentId, userId)
    const summon = { agentId, kind: 'create', instruction: `${tenantId}/` } as const
    await stores.summons.start({ ...summon, startedAt: NOW }, NOW)
    await stores.agentLinks.put({
      fromAgentId: agentId,
      toAgentId: agentId,
      description: `${tenantId}/`,
    })
  },
  async learn(stores: Stores, actor: Actor) {
    const { agentId, userId, tenantId } = actor
    const visibility = userId === '' ? 'internal' : 'private'
    const skill = sampleSkill({ slug: `own-${userId}`, visibility, ownerUserId: userId })
    const made = await stores.skills.putVersion(
      skill,
      sampleSkillVersion({ name: markOf(actor), contentHash: generateId() }),
    )
    const grant = { skillId: made?.id ?? '', canManage: false, grantedBy: markOf(actor) }
    await stores.skillGrants.putAgent({ ...grant, agentId, pinnedVersion: undefined })
    if (userId !== '') await stores.skillGrants.putUser({ ...grant, userId })
    await stores.skills.setSwitch(`${tenantId}/`, false)
    await stores.systemConfigs.put('mark', `${tenantId}/`)
  },
  async forget(stores: Stores, actor: Actor) {
    const session = await stores.sessions.findByKey(actor.agentId, `${KEY}-${actor.userId}`)
    if (session) await stores.sessions.delete(session.id)
  },
} satisfies Record<string, (stores: Stores, actor: Actor) => Promise<void>>

type Operation = keyof typeof operations

async function makeFindable(
  stores: Stores,
  actor: Actor,
  owner: Parameters<typeof sampleChunk>[0]['owner'],
): Promise<void> {
  const { agentId, userId } = actor
  const text = `${WORD} ${markOf(actor)}`
  const chunk = sampleChunk({ agentId, userId, owner, text, path: PATH, speaker: markOf(actor) })
  await stores.chunks.insert([chunk])
  const space = await stores.embeddingSpaces.ensure({
    provider: 'test',
    model: 'iso',
    dimensions: 2,
  })
  await stores.embeddingSpaces.putVectors(space.id, [{ chunkId: chunk.id, vector: [1, 1] }])
}

/** Isolation: whatever tenants and users do, none finds a row of another. */
export function describeIsolation(opened: OpenedStorage): void {
  describe('isolation', () => {
    it('shows no tenant and no user a row of another, whatever all of them do', async () => {
      const storage = opened()
      const step = fc.record({
        tenant: fc.integer({ min: 0, max: 2 }),
        userId: fc.constantFrom('', 'ada', 'bob'),
        operation: fc.constantFrom(...(Object.keys(operations) as Operation[])),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          const tenants = await createTenants(storage)
          for (const { tenant, userId, operation } of steps) {
            const actor = { ...(tenants[tenant] as Tenant), userId }
            const access: Access = { tenantId: actor.tenantId, userId }
            await storage.transaction(access, (stores) => operations[operation](stores, actor))
          }
          const ids = await gather(storage, tenants)
          for (const { tenantId } of tenants) {
            for (const userId of ['', 'ada', 'bob']) {
              const allowed = new Set([
                `${tenantId}/`,
                markOf({ tenantId, userId }),
                '?/',
                `?/${userId}`,
              ])
              const found = await storage.transaction({ tenantId, userId }, (stores) =>
                seen(stores, ids),
              )
              expect(found.filter(({ mark }) => !allowed.has(mark))).toEqual([])
            }
            const all = await storage.transaction({ tenantId, everyUser: true }, (stores) =>
              seen(stores, ids),
            )
            const foreign = all.filter(
              ({ mark }) => !mark.startsWith('?') && !mark.startsWith(tenantId),
            )
            expect(foreign).toEqual([])
          }
        }),
        { numRuns: 5 },
      )
    })

    it('lets nobody write for another tenant or user', async () => {
      const storage = opened()
      const [own, foreign] = await createTenants(storage)
      if (own === undefined || foreign === undefined) throw new Error('There are no tenants.')
      const attempts: ((stores: Stores) => Promise<unknown>)[] = [
        (stores) => operations.write(stores, { ...own, userId: 'bob' }),
        (stores) => operations.write(stores, { ...own, agentId: foreign.agentId, userId: 'ada' }),
        (stores) => operations.say(stores, { ...own, userId: 'bob' }),
        (stores) => operations.say(stores, { ...own, agentId: foreign.agentId, userId: 'ada' }),
        (stores) => operations.spend(stores, { ...own, userId: 'bob' }),
        (stores) => operations.spend(stores, { ...foreign, userId: 'ada' }),
        (stores) => stores.outbox.publish(sampleEvent({ ...own, userId: 'bob' }), []),
        (stores) => stores.outbox.publish(sampleEvent({ ...foreign, userId: 'ada' }), []),
        (stores) =>
          stores.chunks.insert([
            sampleChunk({
              agentId: own.agentId,
              userId: 'bob',
              owner: { source: 'documents', documentId: generateId() },
              text: 'x',
            }),
          ]),
      ]
      for (const attempt of attempts) {
        const work = storage.transaction({ tenantId: own.tenantId, userId: 'ada' }, attempt)
        await expect(work).rejects.toSatisfy((error) => LoamError.isInstance(error))
      }
    })

    it('shows nothing to a tenant that does not exist', async () => {
      const storage = opened()
      const tenants = await createTenants(storage)
      for (const tenant of tenants) {
        await storage.transaction({ tenantId: tenant.tenantId, userId: 'ada' }, (stores) =>
          operations.write(stores, { ...tenant, userId: 'ada' }),
        )
      }
      const ids = await gather(storage, tenants)
      const nobody = { tenantId: generateId(), everyUser: true } as const
      expect(await storage.transaction(nobody, (stores) => seen(stores, ids))).toEqual([])
    })

    it('does not mix up two units of work that run at once', async () => {
      const storage = opened()
      const tenants = await createTenants(storage)
      await Promise.all(
        tenants.flatMap((tenant) =>
          ['', 'ada', 'bob'].map(async (userId) => {
            const actor = { ...tenant, userId }
            const access: Access = { tenantId: tenant.tenantId, userId }
            await storage.transaction(access, (stores) => operations.write(stores, actor))
            const found = await storage.transaction(access, (stores) =>
              stores.documents.find(tenant.agentId, userId, PATH),
            )
            expect(found?.content).toBe(markOf(actor))
          }),
        ),
      )
    })
  })
}
