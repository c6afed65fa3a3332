import { createContextFiles } from '@loam/bootstrap'
import { callTool, generateId } from '@loam/core'
import { createMemory, createMemoryTools, type Memory } from '@loam/memory'
import { createLocalEmbeddings } from '@loam/models'
import type { Agent, Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileTools } from '../src/file-tools.js'

let storage: Storage
let memory: Memory
let agent: Agent
const tenantId = generateId()
beforeAll(async () => {
  storage = await createTestStorage()
  memory = createMemory({ storage, embeddings: createLocalEmbeddings() })
  agent = await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
    await stores.tenants.ensure({ slug: 'test', name: 'Test' })
    const made = { id: generateId(), key: 'agent', type: 'predefined' as const, settings: {} }
    return await stores.agents.create({ ...made, displayName: undefined, description: undefined })
  })
})
afterAll(async () => {
  await storage.close()
})

const call = async (name: string, input: object, userId = 'ana') => {
  const contextFiles = createContextFiles({ storage })
  const scope = { tenantId, agentId: agent.id, userId }
  const tools = [
    ...createFileTools({ contextFiles, memory, tenantId, agent, userId }),
    ...createMemoryTools(memory, { scope }),
  ]
  const { content, isError } = await callTool(tools, { name, arguments: JSON.stringify(input) })
  return isError ? `refused: ${content}` : content
}

describe('the file tools', () => {
  it('write a note, find it, read it, and no other user does', async () => {
    const path = 'memory/travel.md'
    expect(await call('write_file', { path, content: 'Ana moved to Porto.\nIn May.' })).toBe(
      `Wrote ${path}.`,
    )
    expect(await call('memory_search', { query: 'Porto' })).toContain(`${path}:1`)
    expect(await call('memory_get', { path })).toBe('Ana moved to Porto.\nIn May.')
    expect(await call('memory_get', { path, from: 2 })).toBe('Lines 2 to 2 of 2:\nIn May.')
    expect(await call('memory_get', { path, from: 9 })).toContain('there is no line 9')
    expect(await call('read_file', { path })).toContain('Porto')
    expect(await call('memory_search', { query: 'Porto' }, 'bob')).toContain(
      'Nothing is remembered',
    )
    expect(await call('memory_get', { path }, 'bob')).toBe(`There is no note at ${path}.`)
  })

  it('add to a note, and tell what a replacement took away', async () => {
    const path = 'MEMORY.md'
    await call('write_file', { path, content: 'One', append: true })
    expect(await call('write_file', { path, content: 'Two', append: true })).toBe(
      `Added to ${path}.`,
    )
    expect(await call('read_file', { path })).toBe('One\n\n---\n\nTwo')
    expect(await call('write_file', { path, content: 'Three' })).toContain('It said before:\nOne')
  })

  it('lose no addition of several at once', async () => {
    const path = 'memory/many.md'
    const lines = Array.from({ length: 12 }, (_, index) => `line-${index}`)
    await Promise.all(lines.map((content) => call('write_file', { path, content, append: true })))
    const text = await call('memory_get', { path })
    expect(text.split('\n\n---\n\n').toSorted()).toEqual(lines.toSorted())
  })

  it('go by the rules for context files', async () => {
    expect(await call('read_file', { path: 'TEAM.md' })).toContain('already in the system prompt')
    expect(await call('read_file', { path: 'USER.md' })).toContain('There is no USER.md yet')
    expect(await call('write_file', { path: 'USER.md', content: '- **Name:** Ana' })).toBe(
      'Wrote USER.md.',
    )
    expect(await call('read_file', { path: './USER.md' })).toBe('- **Name:** Ana')
    expect(await call('write_file', { path: 'SOUL.md', content: 'x' })).toMatch(/^refused: /)
    expect(await call('write_file', { path: 'BOOTSTRAP.md', content: '' })).toBe(
      'The first meeting has ended.',
    )
  })

  it.each(['/etc/passwd', '../x.md', 'notes.txt', 'memory/../../x.md', '_system/dreams.md'])(
    'have no file %s to write',
    async (path) => {
      expect(await call('write_file', { path, content: 'x' })).toMatch(/^refused: /)
    },
  )
})
