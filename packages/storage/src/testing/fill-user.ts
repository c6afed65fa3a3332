import { generateId } from '@loam/core'
import {
  sampleChunk,
  sampleDocument,
  sampleEpisode,
  sampleEvent,
  sampleMessage,
  sampleRun,
} from './samples.js'
import { type World } from './world.js'

/** Fills an agent with one session and one document of a user, each with everything that can hang on it. */
export async function fillUser(world: World, agentId: string, userId: string) {
  return await world.as(userId, async (stores) => {
    const session = {
      id: generateId(),
      agentId,
      key: generateId(),
      userId,
      kind: 'direct',
    } as const
    const document = sampleDocument({ agentId, userId })
    const episode = sampleEpisode({ agentId, userId, sessionId: session.id })
    const deliveryId = generateId()
    await stores.sessions.ensure(session)
    await stores.messages.append(session.id, [sampleMessage(), sampleMessage()])
    await stores.runs.insertIfNew(sampleRun({ sessionId: session.id }))
    await stores.documents.put(document)
    await stores.episodes.insertIfNew(episode)
    const owned = { agentId, userId, text: 'tea cup' }
    const chunks = [
      sampleChunk({ ...owned, owner: { source: 'messages', sessionId: session.id, sequence: 1 } }),
      sampleChunk({ ...owned, owner: { source: 'messages', sessionId: session.id, sequence: 2 } }),
      sampleChunk({ ...owned, owner: { source: 'episodes', episodeId: episode.id } }),
      sampleChunk({ ...owned, owner: { source: 'documents', documentId: document.id } }),
    ]
    await stores.chunks.insert(chunks)
    const space = await stores.embeddingSpaces.ensure({
      provider: 'test',
      model: 'two',
      dimensions: 2,
    })
    const chunkIds = chunks.map(({ id }) => id)
    await stores.embeddingSpaces.putVectors(
      space.id,
      chunkIds.map((chunkId) => ({ chunkId, vector: [1, 1] })),
    )
    const event = sampleEvent({
      tenantId: world.tenantId,
      agentId,
      userId,
      sessionId: session.id,
    })
    await stores.outbox.publish(event, [
      { id: deliveryId, consumer: `deletion-${world.tenantId}`, orderingKey: session.id },
    ])
    return { sessionId: session.id, episodeId: episode.id, deliveryId, chunkIds, spaceId: space.id }
  })
}
