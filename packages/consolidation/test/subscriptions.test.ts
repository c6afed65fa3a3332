import type { LoamEvent } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { EPISODIC_CONSUMER, deliveriesFor } from '../src/index.js'

const event: LoamEvent = {
  type: 'run.completed',
  id: '0193a5b0-7000-7000-8000-000000000002',
  tenantId: '0193a5b0-7000-7000-8000-000000000001',
  agentId: '0193a5b0-7000-7000-8000-000000000003',
  userId: 'ann',
  occurredAt: new Date('2026-05-01T10:00:00Z'),
  payload: {
    runId: '0193a5b0-7000-7000-8000-000000000004',
    sessionId: '0193a5b0-7000-7000-8000-000000000005',
    lastSequence: 4,
  },
}
const settings = { enabled: true, episodicTtlDays: 90, idleSeconds: 600 }
const options = { now: event.occurredAt, generateId: () => 'delivery' }

describe('deliveriesFor', () => {
  it('gives each consumer of a run a delivery, ordered by session, due when the session has rested', () => {
    expect(deliveriesFor(event, { settings }, options)).toEqual([
      {
        id: 'delivery',
        consumer: EPISODIC_CONSUMER,
        orderingKey: event.payload.sessionId,
        runAfter: new Date('2026-05-01T10:10:00Z'),
      },
    ])
  })

  it('does not wait after a compaction', () => {
    const [delivery] = deliveriesFor(event, { settings, compacted: true }, options)
    expect(delivery?.runAfter).toEqual(event.occurredAt)
  })

  it('gives none for an event without consumers', () => {
    const other: LoamEvent = {
      ...event,
      type: 'entity.upserted',
      payload: { entityIds: [event.id] },
    }
    expect(deliveriesFor(other, { settings }, options)).toEqual([])
  })
})
