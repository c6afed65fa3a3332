import { ForbiddenError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { DocumentWrite } from '../documents.js'
import { DIFFICULT_TEXTS, sampleDocument } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const put = (world: World, document: Partial<DocumentWrite>, as = document.userId ?? '') =>
  world.as(as, ({ documents }) =>
    documents.put(sampleDocument({ agentId: world.agentId, ...document })),
  )

/** Documents: one at each path of each owner. */
export function describeDocuments(opened: OpenedStorage): void {
  describe('documents', () => {
    it('replaces the content at a taken path, and keeps the id', async () => {
      const world = await createWorld(opened())
      const first = await put(world, { metadata: { a: 1 }, indexedHash: 'h', indexSettings: 's' })
      expect(first).toMatchObject({
        created: true,
        document: { metadata: { a: 1 }, indexedHash: 'h', indexSettings: 's', userId: '' },
      })
      const second = await put(world, { content: 'Now in Paris.', hash: 'hash-2' })
      expect(second).toMatchObject({
        created: false,
        document: {
          id: first.document.id,
          content: 'Now in Paris.',
          hash: 'hash-2',
          metadata: { a: 1 },
          indexedHash: undefined,
          createdAt: first.document.createdAt,
        },
      })
      const found = await world.as('', ({ documents }) =>
        documents.find(world.agentId, '', 'MEMORY.md'),
      )
      expect(found).toEqual(second.document)
    })

    it.each(DIFFICULT_TEXTS)('keeps $what', async ({ text }) => {
      const world = await createWorld(opened())
      const path = `notes/${text}`
      const { document } = await put(world, { path, content: text, metadata: { text } })
      expect(document).toMatchObject({ path, content: text, metadata: { text } })
      const page = await world.as('', ({ documents }) =>
        documents.list(world.agentId, { limit: 5, pathPrefix: path }),
      )
      expect(page.items).toEqual([expect.objectContaining({ path, contentLength: text.length })])
    })

    it('keeps a text of a megabyte, and lists how long it is without it', async () => {
      const world = await createWorld(opened())
      const content = 'line of text\n'.repeat(80_000)
      const { document } = await put(world, { content })
      expect(document.content).toBe(content)
      const page = await world.as('', ({ documents }) =>
        documents.list(world.agentId, { limit: 1 }),
      )
      expect(page.items).toEqual([expect.objectContaining({ contentLength: content.length })])
      expect(page.items[0]).not.toHaveProperty('content')
    })

    it('keeps the shared document apart from each user’s own at the same path', async () => {
      const world = await createWorld(opened())
      for (const userId of ['', 'ada', 'bob']) await put(world, { userId, content: `of ${userId}` })
      const find = (as: string, owner: string) =>
        world.as(as, async ({ documents }) => {
          const found = await documents.find(world.agentId, owner, 'MEMORY.md')
          return found?.content
        })
      expect(await find('ada', '')).toBe('of ')
      expect(await find('ada', 'ada')).toBe('of ada')
      expect(await find('ada', 'bob')).toBeUndefined()
      expect(await find('', 'ada')).toBeUndefined()
    })

    it('refuses to write a document of another user', async () => {
      const world = await createWorld(opened())
      await expect(put(world, { userId: 'bob' }, 'ada')).rejects.toSatisfy((error) =>
        ForbiddenError.isInstance(error),
      )
      await expect(put(world, { userId: 'bob' }, '')).rejects.toSatisfy((error) =>
        ForbiddenError.isInstance(error),
      )
    })

    it('lists the user’s own and the shared ones by path, then owner, each once', async () => {
      const world = await createWorld(opened())
      for (const [userId, path] of [
        ['', 'b.md'],
        ['', 'memory/2026-11-30.md'],
        ['ada', 'b.md'],
        ['ada', 'a.md'],
        ['ada', 'memory/z.md'],
        ['ada', 'memory_z.md'],
        ['bob', 'a.md'],
        ['bob', 'b.md'],
      ] as const) {
        await put(world, { userId, path })
      }
      const listed = async (run: World['asEveryone'], limit: number, pathPrefix?: string) => {
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await run(({ documents }) =>
            documents.list(world.agentId, { limit, cursor, pathPrefix }),
          )
          found.push(...page.items.map(({ path, userId }) => `${path} of ${userId}`))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        return found
      }
      const ada: World['asEveryone'] = (work) => world.as('ada', work)
      for (const limit of [1, 2, 3, 100]) {
        expect(await listed(ada, limit)).toEqual([
          'a.md of ada',
          'b.md of ',
          'b.md of ada',
          'memory/2026-11-30.md of ',
          'memory/z.md of ada',
          'memory_z.md of ada',
        ])
      }
      expect(await listed(world.asEveryone, 3)).toHaveLength(8)
      expect(await listed(ada, 2, 'memory/')).toEqual([
        'memory/2026-11-30.md of ',
        'memory/z.md of ada',
      ])
      expect(await listed(ada, 2, 'memory_')).toEqual(['memory_z.md of ada'])
      expect(await listed(ada, 2, '%')).toEqual([])
    })

    it('sets how the index of a document stands', async () => {
      const world = await createWorld(opened())
      const { document } = await put(world, {})
      await world.as('', ({ documents }) => documents.setIndexState(document.id, 'lexical'))
      const found = await world.as('', ({ documents }) =>
        documents.find(world.agentId, '', 'MEMORY.md'),
      )
      expect(found?.indexState).toBe('lexical')
    })

    it('lets writers of one path take turns, also before there is a document', async () => {
      const world = await createWorld(opened())
      await Promise.all(
        Array.from({ length: 6 }, () =>
          world.as('ada', async ({ documents }) => {
            const present = await documents.lock(world.agentId, 'ada', 'count.md')
            const content = String(Number(present?.content ?? '0') + 1)
            await documents.put(
              sampleDocument({ agentId: world.agentId, userId: 'ada', path: 'count.md', content }),
            )
          }),
        ),
      )
      const found = await world.as('ada', ({ documents }) =>
        documents.find(world.agentId, 'ada', 'count.md'),
      )
      expect(found?.content).toBe('6')
    })
  })
}
