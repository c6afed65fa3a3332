import type { EmbeddingModel } from '@loam/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashOf } from '../../src/search/skill-embeddings.js'
import { openWorld, packed, skillText, type World } from './world.js'

const calls: string[][] = []
const embeddings: EmbeddingModel = {
  provider: 'test',
  model: 'lengths',
  dimensions: 2,
  trust: { vectorWeight: 0.7, minSimilarity: 0 },
  remote: false,
  embed: async (texts) => {
    calls.push([...texts])
    return texts.map((text) => [text.length, 1])
  },
}

const HASHES = [
  { slug: '', name: 'folder', description: 'Of all' },
  { slug: '', name: 'a', description: 'First' },
  { slug: '', name: 'b', description: 'Second' },
].map(hashOf)

let world: World
beforeAll(async () => {
  world = await openWorld({ folderSkills: { folder: skillText('folder', 'Of all') }, embeddings })
})
afterAll(async () => {
  await world.close()
})

it('gives vectors to what lacks them, keeps them, and forgets those that no skill needs', async () => {
  const { skills, storage } = world
  const { tenantId, operator } = await world.addTenant('one')
  const other = await world.addTenant('one')
  expect(await skills.embedMissing(tenantId)).toBe(1)
  await skills.install(
    {
      skills: [packed('a', 'First'), packed('b', 'Second')].map((skill, index) => ({
        ...skill,
        slug: `s${index}`,
      })),
    },
    operator,
  )
  // It is also done after an upload, in the background.
  await skills.embedMissing(tenantId)
  expect(await skills.embedMissing(tenantId)).toBe(0)
  const texts = new Set(calls.flat())
  expect(texts).toEqual(new Set(['folder: Of all', 'a: First', 'b: Second']))
  const kept = (tenant: string) =>
    storage.transaction({ tenantId: tenant, everyUser: true }, async (stores) => {
      const space = await stores.embeddingSpaces.ensure({
        provider: 'test',
        model: 'lengths',
        dimensions: 2,
      })
      return (await stores.skillVectors.read(space.id, HASHES)).length
    })
  expect(await kept(tenantId)).toBe(3)
  // What one tenant has paid for is no other's.
  expect(await kept(other.tenantId)).toBe(0)
  await skills.erase(operator, 's0')
  await skills.embedMissing(tenantId)
  expect(await kept(tenantId)).toBe(2)
})
