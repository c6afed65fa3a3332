import { describe, expect, it } from 'vitest'
import { eventSchema, generateId } from '../src/index.js'

const envelope = () => ({
  id: generateId(),
  tenantId: generateId(),
  agentId: generateId(),
  userId: 'alice',
  occurredAt: new Date('2026-11-30T12:00:00Z'),
})

const payloads = {
  'run.completed': { runId: generateId(), sessionId: generateId(), lastSequence: 4 },
  'episodic.created': {
    episodeId: generateId(),
    sessionId: generateId(),
    firstSequence: 1,
    lastSequence: 4,
  },
  'entity.upserted': { entityIds: [generateId()] },
  'agent.summoned': { generation: 1 },
  'chunks.unembedded': { groupId: generateId() },
}

describe('eventSchema', () => {
  it.each(Object.entries(payloads))('survives a journey through JSON as %s', (type, payload) => {
    const event = { ...envelope(), type, payload }
    expect(eventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
  })

  it.each(Object.entries(payloads))('refuses text in the payload of %s', (type, payload) => {
    const event = { ...envelope(), type, payload: { ...payload, text: 'what was said' } }
    expect(eventSchema.safeParse(event).success).toBe(false)
  })

  it('refuses an event of a type that nobody knows', () => {
    expect(eventSchema.safeParse({ ...envelope(), type: 'run.started', payload: {} }).success).toBe(
      false,
    )
  })
})
