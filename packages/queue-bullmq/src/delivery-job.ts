import { InvalidInputError, type DeliveryMessage } from '@loam/core'
import { z } from 'zod'

const MAX_ID_LENGTH = 200
const MAX_KEY_LENGTH = 100_000

/** Names of queues and jobs are parts of Redis keys that a colon separates; braces mark what Redis Cluster hashes. */
const keyPart = z
  .string()
  .max(MAX_ID_LENGTH)
  .regex(/^[\w.-]+$/, 'Use letters, digits, dots, dashes and underscores.')

const deliveryMessageSchema = z.object({
  deliveryId: keyPart,
  tenantId: z.string().min(1).max(MAX_ID_LENGTH),
  consumer: keyPart,
  orderingKey: z.string().max(MAX_KEY_LENGTH),
  attempt: z.int().min(1),
})

/** A message as BullMQ takes it. */
export interface DeliveryJob {
  readonly name: string
  readonly data: DeliveryMessage
  readonly opts: {
    readonly jobId: string
    readonly attempts: 1
    readonly removeOnComplete: true
    readonly removeOnFail: true
  }
}

/**
 * Makes the job of a message. Its id tells attempts apart, since BullMQ ignores an id that it holds already; it is tried
 * once and leaves nothing behind, since retries and the dead-letter state are the delivery's.
 *
 * @throws InvalidInputError for a message that could not be carried.
 */
export function jobOf(message: DeliveryMessage): DeliveryJob {
  const read = deliveryMessageSchema.safeParse(message)
  if (!read.success) {
    const issues = read.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      message: issue.message,
    }))
    const faults = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')
    throw new InvalidInputError({
      message: `The queue cannot carry delivery ${JSON.stringify(message.deliveryId)}. ${faults}`,
      issues,
    })
  }
  const { deliveryId, attempt } = read.data
  return {
    name: 'delivery',
    data: read.data,
    opts: {
      jobId: jobId(deliveryId, attempt),
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    },
  }
}

/** The ids that jobs had at the attempt before. */
export function earlierJobIds(jobs: readonly DeliveryJob[]): string[] {
  return jobs
    .filter(({ data }) => data.attempt > 1)
    .map(({ data }) => jobId(data.deliveryId, data.attempt - 1))
}

function jobId(deliveryId: string, attempt: number): string {
  return `${deliveryId}-${attempt}`
}

/** Whether a consumer's name can be that of its queue. */
export function isQueueName(consumer: string): boolean {
  return keyPart.safeParse(consumer).success
}

/** Reads the message from a job of a consumer's queue; undefined if somebody else put something else there. */
export function messageOf(data: unknown, consumer: string): DeliveryMessage | undefined {
  const read = deliveryMessageSchema.safeParse(data)
  return read.success && read.data.consumer === consumer ? read.data : undefined
}
