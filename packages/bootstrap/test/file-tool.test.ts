import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VIRTUAL_FILE_NAMES, createContextFileTool, createContextFiles } from '../src/index.js'
import { createWorld } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

async function setUp() {
  const { tenantId, agent } = await createWorld(storage, 'open')
  const tool = createContextFileTool(createContextFiles({ storage }))
  const who = { tenantId, agent, userId: 'ana', workspace: '/work/space' }
  return {
    read: (path: string) => tool.read({ ...who, path }),
    write: (path: string, content: string) => tool.write({ ...who, path, content }),
  }
}

describe('the interceptor of file tools', () => {
  it.each(['SOUL.md', './SOUL.md', '/work/space/SOUL.md'])(
    'takes %s for a context file',
    async (path) => {
      const { read, write } = await setUp()
      expect(await read(path)).toEqual({ kind: 'file', file: undefined })
      expect(await write(path, 'Mine.')).toMatchObject({ outcome: 'written' })
      expect(await read('SOUL.md')).toMatchObject({ kind: 'file', file: { content: 'Mine.' } })
    },
  )

  it.each(VIRTUAL_FILE_NAMES)(
    'answers for %s that it is already in the system prompt',
    async (name) => {
      const { read, write } = await setUp()
      for (const answer of [await read(name), await write(`./${name}`, 'x')]) {
        expect(answer).toMatchObject({
          kind: 'notice',
          text: expect.stringContaining('already in the system prompt'),
        })
      }
    },
  )

  it.each(['notes.md', 'sub/SOUL.md', '/work/space-two/SOUL.md', '../SOUL.md'])(
    'leaves %s to the tool',
    async (path) => {
      const { read, write } = await setUp()
      expect([await read(path), await write(path, 'x')]).toEqual([
        { kind: 'other' },
        { kind: 'other' },
      ])
    },
  )

  it('ends the first meeting', async () => {
    const { write } = await setUp()
    expect(await write('./BOOTSTRAP.md', '')).toEqual({ outcome: 'onboarded' })
  })
})
