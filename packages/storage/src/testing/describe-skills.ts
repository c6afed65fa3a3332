import { ConflictError, NotFoundError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { sampleSkill, sampleSkillVersion } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { addSkill } from './add-skill.js'
import { createWorld, type World } from './world.js'

const refusal = (kind: { isInstance(error: unknown): boolean }) => (error: unknown) =>
  kind.isInstance(error)

/** What agents can do: versions, files, switches, deletion. */
export function describeSkills(opened: OpenedStorage): void {
  describe('skills', () => {
    it('are made with their first version, and found by slug and by id', async () => {
      const world = await createWorld(opened())
      const made = await world.asEveryone(({ skills }) =>
        skills.putVersion(
          sampleSkill({ slug: 'pdf', ownerUserId: 'ada' }),
          sampleSkillVersion({
            name: 'PDF',
            description: 'Reads PDF',
            frontmatter: { name: 'PDF', metadata: { a: ['1'] } },
            warnings: [{ code: 'format', message: 'm' }],
            files: [
              { path: 'SKILL.md', content: new TextEncoder().encode('# PDF') },
              {
                path: 'scripts/a.bin',
                content: Uint8Array.from({ length: 256 }, (_, byte) => byte),
              },
            ],
          }),
        ),
      )
      expect(made).toMatchObject({
        slug: 'pdf',
        version: 1,
        name: 'PDF',
        description: 'Reads PDF',
        frontmatter: { name: 'PDF', metadata: { a: ['1'] } },
        warnings: [{ code: 'format', message: 'm' }],
        visibility: 'internal',
        status: 'active',
        ownerUserId: 'ada',
        ownerAgentId: undefined,
        fileCount: 2,
        sizeBytes: 261,
        deletedAt: undefined,
      })
      const id = made?.id ?? ''
      await world.as('bob', async ({ skills }) => {
        expect(await skills.find('pdf')).toEqual(made)
        expect(await skills.find(id)).toEqual(made)
        expect(await skills.lock(id)).toEqual(made)
        expect((await skills.list({ limit: 10 })).items).toEqual([made])
        expect(await skills.listFiles(id, 1)).toEqual([
          { path: 'SKILL.md', sizeBytes: 5 },
          { path: 'scripts/a.bin', sizeBytes: 256 },
        ])
        const [text, binary] = await skills.readFiles(id, 1)
        expect(new TextDecoder().decode(text?.content)).toBe('# PDF')
        expect(Array.from(binary?.content ?? [])).toEqual(
          Array.from({ length: 256 }, (_, byte) => byte),
        )
        expect(
          (await skills.readFiles(id, 1, ['scripts/a.bin', 'none'])).map(({ path }) => path),
        ).toEqual(['scripts/a.bin'])
        expect(await skills.find('other')).toBeUndefined()
        expect(await skills.listFiles('no-id', 1)).toEqual([])
      })
    })

    it('get a new version for other content, and none for the same', async () => {
      const world = await createWorld(opened())
      const skill = await addSkill(world, 'pdf')
      const put = (contentHash: string) =>
        world.asEveryone(({ skills }) =>
          skills.putVersion(sampleSkill({ slug: 'pdf' }), sampleSkillVersion({ contentHash })),
        )
      expect(await put('pdf')).toBeUndefined()
      expect(await put('other')).toMatchObject({ id: skill.id, version: 2 })
      expect(await put('pdf')).toMatchObject({ version: 3 })
      const versions = await world.asEveryone(({ skills }) => skills.versions(skill.id))
      expect(versions.map(({ version, contentHash }) => [version, contentHash])).toEqual([
        [3, 'pdf'],
        [2, 'other'],
        [1, 'pdf'],
      ])
    })

    it('number versions that are made at once one after the other', async () => {
      const world = await createWorld(opened())
      const made = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          world.asEveryone(({ skills }) =>
            skills.putVersion(
              sampleSkill({ slug: 'pdf' }),
              sampleSkillVersion({ contentHash: `${index}` }),
            ),
          ),
        ),
      )
      expect(new Set(made.map((skill) => skill?.version))).toEqual(new Set([1, 2, 3, 4, 5]))
      expect(new Set(made.map((skill) => skill?.id)).size).toBe(1)
    })

    it('serve the version that is chosen', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      await world.asEveryone(async ({ skills }) => {
        const version = sampleSkillVersion({ contentHash: 'two', name: 'Two' })
        await skills.putVersion(sampleSkill({ slug: 'pdf' }), version)
        expect(await skills.update(id, { version: 1 })).toMatchObject({
          version: 1,
          name: 'Sample',
        })
        expect(await skills.putVersion(sampleSkill({ slug: 'pdf' }), version)).toMatchObject({
          version: 3,
          name: 'Two',
        })
      })
      const missing = world.asEveryone(({ skills }) => skills.update(id, { version: 9 }))
      await expect(missing).rejects.toSatisfy(refusal(NotFoundError))
    })

    it('free their slug when they are deleted, and take it again when it is still free', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      await world.asEveryone(async ({ skills }) => {
        expect(await skills.delete(id)).toBe(true)
        expect(await skills.delete(id)).toBe(false)
        expect(await skills.find('pdf')).toBeUndefined()
        expect((await skills.find(id))?.deletedAt).toBeInstanceOf(Date)
        expect((await skills.list({ limit: 10 })).items).toEqual([])
        expect(await skills.candidates(world.agentId)).toEqual([])
        expect(await skills.restore(id)).toMatchObject({ slug: 'pdf', deletedAt: undefined })
        await skills.delete(id)
      })
      await addSkill(world, 'pdf')
      const taken = world.asEveryone(({ skills }) => skills.restore(id))
      await expect(taken).rejects.toSatisfy(refusal(ConflictError))
    })

    it('leave nothing where their slug is not free, and take no id for a slug', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      await addSkill(world, 'diary', { visibility: 'private', ownerUserId: 'ada' })
      await world.asEveryone(({ skills }) => skills.delete(id))
      const made = await world.as('bob', async ({ skills }) => {
        const taken = skills.putVersion(sampleSkill({ slug: 'diary' }), sampleSkillVersion({}))
        await expect(taken).rejects.toSatisfy(refusal(ConflictError))
        return await skills.putVersion(sampleSkill({ slug: id }), sampleSkillVersion({}))
      })
      expect(made).toMatchObject({ slug: id, version: 1 })
      expect(made?.id).not.toBe(id)
      await world.asEveryone(async ({ skills }) => {
        expect(await skills.versions(id)).toHaveLength(1)
        const { items } = await skills.list({ limit: 10 })
        expect(items.map(({ slug, version }) => [slug, version])).toEqual([
          [id, 1],
          ['diary', 1],
        ])
      })
    })

    it('are listed for those who manage them, without a trace of others', async () => {
      const world = await createWorld(opened())
      await addSkill(world, 'anas', { ownerUserId: 'ada', visibility: 'private' })
      const granted = await addSkill(world, 'for-all')
      const used = await addSkill(world, 'only-used')
      await addSkill(world, 'secret')
      await addSkill(world, 'theirs', { ownerUserId: 'ada' })
      await world.asEveryone(async ({ skillGrants }) => {
        const grant = { userId: 'ada', grantedBy: 'test' }
        await skillGrants.putUser({ ...grant, skillId: granted.id, canManage: true })
        await skillGrants.putUser({ ...grant, skillId: used.id, canManage: false })
      })
      const pages = async (managedBy: string) =>
        await world.as(managedBy, async ({ skills }) => {
          const first = await skills.list({ limit: 2, managedBy })
          const { nextCursor: cursor } = first
          const rest = cursor && (await skills.list({ limit: 2, managedBy, cursor }))
          const items = [...first.items, ...(rest ? rest.items : [])]
          return { slugs: items.map(({ slug }) => slug), cursor: cursor !== undefined }
        })
      expect(await pages('ada')).toEqual({ slugs: ['anas', 'for-all', 'theirs'], cursor: true })
      expect(await pages('bob')).toEqual({ slugs: [], cursor: false })
      expect(await pages('')).toEqual({ slugs: [], cursor: false })
    })

    it('are erased with their versions, files and grants', async () => {
      const world = await createWorld(opened())
      const { id } = await addSkill(world, 'pdf')
      await world.asEveryone(async ({ skills, skillGrants }) => {
        const grant = { skillId: id, canManage: false, grantedBy: 'test' }
        await skillGrants.putAgent({ ...grant, agentId: world.agentId, pinnedVersion: 1 })
        await skillGrants.putUser({ ...grant, userId: 'ada' })
        expect(await skills.erase(id)).toEqual({ skills: 1, versions: 1, files: 1, grants: 2 })
        expect(await skills.find(id)).toBeUndefined()
        expect(await skills.readFiles(id, 1)).toEqual([])
        expect(await skillGrants.list(id)).toEqual({ agents: [], users: [] })
        expect(await skills.erase(id)).toEqual({ skills: 0, versions: 0, files: 0, grants: 0 })
      })
    })

    it('raise the revision of their tenant with each change, and with nothing else', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const revision = () => world.asEveryone(({ skills }) => skills.revision())
      let last = await revision()
      const raises = async (work: Parameters<World['asEveryone']>[0]) => {
        await world.asEveryone(work)
        const now = await revision()
        expect(now).toBeGreaterThan(last)
        last = now
      }
      const { id } = await addSkill(world, 'pdf')
      last = await revision()
      const grant = { skillId: id, canManage: false, grantedBy: 'test' }
      await raises(({ skills }) => skills.update(id, { visibility: 'public' }))
      await raises(({ skills }) => skills.setSwitch('pdf', false))
      await raises(({ skillGrants }) =>
        skillGrants.putAgent({ ...grant, agentId: world.agentId, pinnedVersion: undefined }),
      )
      await raises(({ skillGrants }) => skillGrants.putUser({ ...grant, userId: 'ada' }))
      await raises(({ skillGrants }) => skillGrants.deleteAgent(id, world.agentId))
      await raises(({ skillGrants }) => skillGrants.deleteUser(id, 'ada'))
      await raises(({ skills }) => skills.delete(id))
      await raises(({ skills }) => skills.restore(id))
      await raises(({ skills }) => skills.erase(id))
      await world.asEveryone(({ skills }) => skills.list({ limit: 10 }))
      await addSkill(other, 'pdf')
      expect(await revision()).toBe(last)
    })

    it('are not seen by other users while they are private', async () => {
      const world = await createWorld(opened())
      const skill = await addSkill(world, 'diary', { visibility: 'private', ownerUserId: 'ada' })
      for (const [userId, count] of [
        ['ada', 1],
        ['bob', 0],
        ['', 0],
      ] as const) {
        await world.as(userId, async ({ skills }) => {
          expect((await skills.list({ limit: 10 })).items).toHaveLength(count)
          expect(await skills.candidates(world.agentId)).toHaveLength(count)
          expect(await skills.versions(skill.id)).toHaveLength(count)
          expect(await skills.readFiles(skill.id, 1)).toHaveLength(count)
          expect((await skills.find(skill.id)) !== undefined).toBe(count === 1)
        })
      }
      const taken = world.as('bob', ({ skills }) =>
        skills.putVersion(sampleSkill({ slug: 'diary' }), sampleSkillVersion({})),
      )
      await expect(taken).rejects.toSatisfy(refusal(ConflictError))
    })

    it('are switched off and on by slug', async () => {
      const world = await createWorld(opened())
      await world.asEveryone(async ({ skills }) => {
        await skills.setSwitch('pdf', false)
        await skills.setSwitch('builtin-one', false)
        expect(await skills.switchedOff()).toEqual(['builtin-one', 'pdf'])
        await skills.setSwitch('pdf', true)
        expect(await skills.switchedOff()).toEqual(['builtin-one'])
      })
    })
  })
}
