import { describe, expect, it } from 'vitest'
import { KEPT_FILE_VERSIONS } from '../context-files.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

const template = (name: string) => ({ name, content: `template of ${name}` })

/** Context files: of the agent and of each user, with what they said before. */
export function describeContextFiles(opened: OpenedStorage): void {
  describe('context files', () => {
    it('are kept for the agent and for each user by themselves', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const put = (userId: string, content: string) =>
        world.as(userId, ({ contextFiles }) =>
          contextFiles.put({ agentId, userId, name: 'USER.md', content }),
        )
      await put('', 'shared')
      await put('ada', 'Ada 🦆')
      await put('bob', '')
      const list = (userId: string, owner: string) =>
        world.as(userId, ({ contextFiles }) => contextFiles.list(agentId, owner))
      expect(await list('ada', 'ada')).toMatchObject([
        { userId: 'ada', content: 'Ada 🦆', version: 1 },
      ])
      expect(await list('ada', '')).toMatchObject([{ userId: '', content: 'shared' }])
      expect(await list('ada', 'bob')).toEqual([])
      expect(await list('bob', 'bob')).toMatchObject([{ content: '' }])
      expect(await list('ada', 'nonsense')).toEqual([])
    })

    it('keep what they said before, as much of it as is kept', async () => {
      const world = await createWorld(opened())
      const file = { agentId: world.agentId, userId: '', name: 'SOUL.md' }
      const count = KEPT_FILE_VERSIONS + 3
      await world.asEveryone(async ({ contextFiles }) => {
        for (let index = 1; index <= count; index += 1) {
          const written = await contextFiles.put({ ...file, content: `text ${index}` })
          expect(written).toMatchObject({ version: index, content: `text ${index}` })
        }
        // The same text again is no change.
        expect(await contextFiles.put({ ...file, content: `text ${count}` })).toMatchObject({
          version: count,
        })
        const versions = await contextFiles.versions(world.agentId, '', 'SOUL.md')
        expect(versions).toHaveLength(KEPT_FILE_VERSIONS)
        expect(versions[0]).toMatchObject({ version: count - 1, content: `text ${count - 1}` })
        expect(versions.at(-1)).toMatchObject({ version: 3 })
        expect(await contextFiles.delete(world.agentId, '', 'SOUL.md')).toBe(true)
        expect(await contextFiles.delete(world.agentId, '', 'SOUL.md')).toBe(false)
        expect(await contextFiles.versions(world.agentId, '', 'SOUL.md')).toEqual([])
      })
    })

    it('are replaced if they are still as they were read', async () => {
      const world = await createWorld(opened())
      const file = { agentId: world.agentId, userId: 'ada', name: 'SOUL.md' }
      await world.as('ada', async ({ contextFiles }) => {
        const first = await contextFiles.replace({ ...file, content: 'one' }, undefined)
        expect(first).toMatchObject({ version: 1, content: 'one' })
        expect(await contextFiles.replace({ ...file, content: 'two' }, undefined)).toBeUndefined()
        const second = await contextFiles.replace({ ...file, content: 'two' }, first)
        expect(second).toMatchObject({ version: 2 })
        expect(await contextFiles.replace({ ...file, content: 'three' }, first)).toBeUndefined()
        // Another text at the same version, as after a deletion.
        const other = { version: 2, content: 'other' }
        expect(await contextFiles.replace({ ...file, content: 'three' }, other)).toBeUndefined()
        await contextFiles.delete(world.agentId, 'ada', 'SOUL.md')
        expect(await contextFiles.replace({ ...file, content: 'three' }, second)).toBeUndefined()
      })
      const attempts = await Promise.all(
        ['a', 'b', 'c'].map((content) =>
          world.as('ada', ({ contextFiles }) =>
            contextFiles.replace({ ...file, content }, undefined),
          ),
        ),
      )
      expect(attempts.filter((written) => written !== undefined)).toHaveLength(1)
    })

    it('are filled in where they are missing or empty, and never overwritten', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      await world.as('ada', async ({ contextFiles }) => {
        await contextFiles.put({ agentId, userId: 'ada', name: 'SOUL.md', content: 'mine' })
        await contextFiles.put({ agentId, userId: 'ada', name: 'USER.md', content: '' })
        const files = ['USER.md', 'SOUL.md', 'AGENTS.md'].map(template)
        expect(await contextFiles.putMissing(agentId, 'ada', files)).toEqual([
          'USER.md',
          'AGENTS.md',
        ])
        expect(await contextFiles.putMissing(agentId, 'ada', files)).toEqual([])
        const contents = (await contextFiles.list(agentId, 'ada')).map(({ content }) => content)
        expect(contents).toEqual(['template of AGENTS.md', 'mine', 'template of USER.md'])
      })
    })

    it('have one row each, however many fill them in at once', async () => {
      const world = await createWorld(opened())
      const files = ['A.md', 'B.md', 'C.md'].map((name) => ({ name, content: name }))
      const written = await Promise.all(
        Array.from({ length: 6 }, () =>
          world.as('ada', ({ contextFiles }) =>
            contextFiles.putMissing(world.agentId, 'ada', files),
          ),
        ),
      )
      expect(written.flat().toSorted()).toEqual(['A.md', 'B.md', 'C.md'])
    })

    it('go with their agent, and are counted', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      for (const userId of ['', 'ada']) {
        await world.as(userId, ({ contextFiles }) =>
          contextFiles.put({ agentId, userId, name: 'SOUL.md', content: 'x' }),
        )
      }
      const receipt = await world.asEveryone(({ agents }) => agents.delete(agentId))
      expect(receipt).toMatchObject({ agents: 1, contextFiles: 2 })
      const left = world.asEveryone(({ contextFiles }) => contextFiles.list(agentId, 'ada'))
      expect(await left).toEqual([])
    })
  })
}
