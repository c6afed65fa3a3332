import { z } from 'zod'

const envelope = {
  id: z.uuid(),
  tenantId: z.uuid(),
  agentId: z.uuid(),
  /** The owner of what happened; `''` for the agent's shared part. */
  userId: z.string(),
  occurredAt: z.coerce.date(),
}

/**
 * Everything that can happen, as one union. An event carries ids and sequence numbers, never text,
 * so that erasing a text leaves no copy of it in a queue (architecture, "The life of a turn").
 */
export const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...envelope,
    type: z.literal('run.completed'),
    payload: z.strictObject({
      runId: z.uuid(),
      sessionId: z.uuid(),
      /** Sequence of the session's last message when the run was reported; 0 for an empty session. */
      lastSequence: z.int().min(0),
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('episodic.created'),
    payload: z.strictObject({
      episodeId: z.uuid(),
      sessionId: z.uuid(),
      firstSequence: z.int().min(1),
      lastSequence: z.int().min(1),
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('episode.withdrawn'),
    /** Something that the episode of this stretch was made of is forgotten; a new one is made of what remains. */
    payload: z.strictObject({
      sessionId: z.uuid(),
      firstSequence: z.int().min(1),
      lastSequence: z.int().min(1),
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('entity.upserted'),
    payload: z.strictObject({ entityIds: z.array(z.uuid()).min(1) }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('agent.summoned'),
    /** Which writing of the agent's files by a model is meant; an older one is not done. */
    payload: z.strictObject({ generation: z.int().min(1) }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('chunks.unembedded'),
    payload: z.strictObject({
      /** The document, session or episode whose chunks have no vector yet. */
      groupId: z.uuid(),
    }),
  }),
])

/** Something that happened, as stored in the outbox. */
export type LoamEvent = z.infer<typeof eventSchema>
/** The name of an event. */
export type EventType = LoamEvent['type']
/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<LoamEvent, { type: Type }>
