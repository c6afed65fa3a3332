import { generateId } from '@loam/core'
import { createOpenAiEmbeddingModel } from '@loam/models'
import { MODEL_FAULTS, startModelServer, type ModelFaultName } from '@loam/models/testing'
import { describe, expect, it } from 'vitest'
import { createSkillEmbeddings, noVectorStore, searchSkills } from '../../src/index.js'

const FAULTS = (Object.keys(MODEL_FAULTS) as ModelFaultName[]).filter(
  (name) => 'embeddings' in MODEL_FAULTS[name],
)
const WORDS = ['tea', 'coffee', 'bread']
const skills = WORDS.map((slug) => ({ slug, name: slug, description: `All about ${slug}` }))
const context = {
  scope: { tenantId: generateId(), agentId: generateId(), userId: '' },
  task: 'test',
}
const vectorOf = (text: string) => WORDS.map((word) => text.toLowerCase().split(word).length - 1)

describe('a search of skills', () => {
  it.each(FAULTS)('finds by words when the embedding endpoint has the fault %s', async (name) => {
    const fault = MODEL_FAULTS[name]
    let mended = false
    await using server = await startModelServer({
      embeddings: ({ body }) => {
        const good = (body['input'] as string[]).map(vectorOf)
        return mended ? good : ('embeddings' in fault && fault.embeddings(good)) || good
      },
    })
    const embeddings = createSkillEmbeddings(
      createOpenAiEmbeddingModel({
        baseUrl: server.baseUrl,
        model: 'words',
        dimensions: WORDS.length,
        trust: { vectorWeight: 0.7, minSimilarity: 0.1 },
        maxRetries: 0,
        timeoutMs: name === 'hang' ? 500 : 10_000,
      }),
      noVectorStore,
    )
    const search = () =>
      searchSkills({ skills, query: 'coffee' }, { semantic: { embeddings, context } })
    const found = await search()
    expect(found.hits[0]?.skill.slug).toBe('coffee')
    expect(found.warnings).toHaveLength(
      fault.nature === 'harmless' || found.mode === 'hybrid' ? 0 : 1,
    )
    mended = true
    // One that did not answer in time may still be sending; what comes then is of no use to anyone.
    const later = await search()
    expect(later).toMatchObject({ warnings: [] })
    expect(later.hits[0]?.skill.slug).toBe('coffee')
  })
})
