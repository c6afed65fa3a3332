import { LoamError, NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { sampleSkill, sampleSkillVersion } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { addSkill } from './add-skill.js'
import { createWorld } from './world.js'

const refusal = (kind: { isInstance(error: unknown): boolean }) => (error: unknown) =>
  kind.isInstance(error)

/** Who may use a skill, and what was done with it. */
export function describeSkillGrants(opened: OpenedStorage): void {
  describe('grants of skills', () => {
    it('show an agent and a user what they were granted, with the pinned version', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      await world.asEveryone(async ({ skills, skillGrants }) => {
        await skills.putVersion(
          sampleSkill({ slug: 'pdf' }),
          sampleSkillVersion({ contentHash: 'two', name: 'Two' }),
        )
        const grant = { skillId: id, canManage: true, grantedBy: 'root' }
        await skillGrants.putAgent({ ...grant, agentId: world.agentId, pinnedVersion: 1 })
        await skillGrants.putUser({ ...grant, userId: 'ada' })
        const again = await skillGrants.putUser({
          ...grant,
          canManage: false,
          userId: 'ada',
          grantedBy: 'other',
        })
        expect(again).toMatchObject({ userId: 'ada', canManage: false, grantedBy: 'root' })
      })
      const seen = async (userId: string, agentId = world.agentId) =>
        (await world.as(userId, ({ skills }) => skills.candidates(agentId)))[0]
      expect(await seen('ada')).toMatchObject({
        version: 1,
        name: 'Sample',
        agentGrant: { pinnedVersion: 1, canManage: true },
        userGrant: { canManage: false },
      })
      expect(await seen('bob')).toMatchObject({ version: 1, userGrant: undefined })
      const otherAgent = await world.addAgent('other')
      expect(await seen('ada', otherAgent)).toMatchObject({
        version: 2,
        name: 'Two',
        agentGrant: undefined,
        userGrant: { canManage: false },
      })
    })

    it('are refused for skills, versions and agents that are not there, and for agents of other tenants', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      const base = {
        skillId: id,
        agentId: world.agentId,
        pinnedVersion: undefined,
        canManage: false,
        grantedBy: 'test',
      }
      for (const grant of [
        { ...base, skillId: generateId() },
        { ...base, pinnedVersion: 7 },
        { ...base, agentId: generateId() },
        { ...base, agentId: other.agentId },
      ]) {
        const put = world.asEveryone(({ skillGrants }) => skillGrants.putAgent(grant))
        await expect(put).rejects.toSatisfy(refusal(NotFoundError))
      }
    })

    it('keep the version that is pinned until another is, or none', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      const put = async (pinnedVersion: number | null | undefined) => {
        const grant = { skillId: id, agentId: world.agentId, canManage: false, grantedBy: 'test' }
        const given = await world.asEveryone(({ skillGrants }) =>
          skillGrants.putAgent({ ...grant, pinnedVersion }),
        )
        return given.pinnedVersion
      }
      expect(await put(undefined)).toBeUndefined()
      expect(await put(1)).toBe(1)
      expect(await put(undefined)).toBe(1)
      expect(await put(null)).toBeUndefined()
    })

    it('are shown to the owner of the skill, who takes them back and gives none', async () => {
      const world = await createWorld(opened())
      const own = await addSkill(world, 'anas', { ownerUserId: 'ada' })
      const other = await addSkill(world, 'pdf')
      const grant = { userId: 'bob', canManage: false, grantedBy: 'test' }
      await world.asEveryone(async ({ skillGrants }) => {
        await skillGrants.putUser({ ...grant, skillId: own.id })
        await skillGrants.putUser({ ...grant, skillId: other.id })
      })
      await world.as('ada', async ({ skillGrants }) => {
        const users = async (skillId: string) => (await skillGrants.list(skillId)).users
        expect(await users(own.id)).toMatchObject([{ userId: 'bob' }])
        expect(await users(other.id)).toEqual([])
        expect(await skillGrants.deleteUser(other.id, 'bob')).toBe(false)
        expect(await skillGrants.deleteUser(own.id, 'bob')).toBe(true)
      })
      const give = world.as('ada', ({ skillGrants }) =>
        skillGrants.putUser({ ...grant, skillId: own.id }),
      )
      await expect(give).rejects.toSatisfy(refusal(LoamError))
    })

    it('tell a user of no other user', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      const grant = { skillId: id, canManage: false, grantedBy: 'test' }
      await world.asEveryone(({ skillGrants }) => skillGrants.putUser({ ...grant, userId: 'ada' }))
      const users = async (userId: string) =>
        (await world.as(userId, ({ skillGrants }) => skillGrants.list(id))).users.map(
          (user) => user.userId,
        )
      expect(await users('ada')).toEqual(['ada'])
      expect(await users('bob')).toEqual([])
      const put = world.as('bob', ({ skillGrants }) =>
        skillGrants.putUser({ ...grant, userId: 'ada' }),
      )
      await expect(put).rejects.toSatisfy(refusal(LoamError))
    })

    it('go with their agent', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      const agentId = await world.addAgent('other')
      await world.asEveryone(async ({ agents, skillGrants }) => {
        await skillGrants.putAgent({
          skillId: id,
          agentId,
          pinnedVersion: 1,
          canManage: false,
          grantedBy: 'test',
        })
        await agents.delete(agentId)
        expect((await skillGrants.list(id)).agents).toEqual([])
      })
    })
  })

  describe('the record of what was done with skills', () => {
    it('is kept when a skill is erased, newest first', async () => {
      const world = await createWorld(opened())
      const entry = { slug: 'pdf', skillId: generateId(), actor: 'root', details: { version: 1 } }
      await world.asEveryone(async ({ skillAudit }) => {
        await skillAudit.record({ ...entry, id: generateId(), action: 'version.created' })
        await skillAudit.record({ ...entry, id: generateId(), slug: 'other', action: 'erased' })
        await skillAudit.record({ ...entry, id: generateId(), action: 'deleted' })
        const page = await skillAudit.list({ limit: 1, slug: 'pdf' })
        expect(page.items).toMatchObject([{ ...entry, action: 'deleted' }])
        const rest = await skillAudit.list({ limit: 5, slug: 'pdf', cursor: page.nextCursor })
        expect(rest.items.map(({ action }) => action)).toEqual(['version.created'])
        expect((await skillAudit.list({ limit: 5 })).items).toHaveLength(3)
      })
      const asUser = world.as('ada', ({ skillAudit }) => skillAudit.list({ limit: 5 }))
      await expect(asUser).rejects.toSatisfy(refusal(LoamError))
    })
  })
}
