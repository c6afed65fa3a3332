import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callTool, toOpenAiTools } from '@loam/core'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { expect, it } from 'vitest'
import { createRuntime, loadConfig } from '../src/index.js'

it('a runtime gives an agent its tools for a user, and they reach that user alone', async () => {
  const home = await mkdtemp(join(tmpdir(), 'loam-tools-'))
  try {
    const config = loadConfig(
      { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' },
      { cwd: home },
    )
    await using storage = await createTestStorage()
    await using loam = await createRuntime(config, { storage })
    const tenantId = '0193a5b0-7000-7000-8000-000000000001'
    const agent = await loam.agents.create(tenantId, {
      key: 'helper',
      type: 'open',
      displayName: undefined,
      description: undefined,
      settings: {},
    })
    const toolsOf = (userId: string) => loam.createTools({ tenantId, agent, userId })
    expect(toOpenAiTools(toolsOf('ana')).map((tool) => tool.function.name)).toEqual([
      'memory_search',
      'memory_get',
      'skill_search',
      'use_skill',
      'read_file',
      'write_file',
    ])
    const call = async (userId: string, name: string, input: object) =>
      (await callTool(toolsOf(userId), { name, arguments: JSON.stringify(input) })).content
    await call('ana', 'write_file', { path: 'MEMORY.md', content: 'Moved to Porto.' })
    expect(await call('ana', 'memory_search', { query: 'Porto' })).toContain('Moved to Porto.')
    expect(await call('bob', 'memory_search', { query: 'Porto' })).toContain(
      'Nothing is remembered',
    )
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
