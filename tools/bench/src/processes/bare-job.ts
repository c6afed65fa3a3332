/** What the two processes of the baseline work with. */
export interface BareOptions {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Of the keys in Redis. */
  readonly prefix: string
  readonly modelUrl: string
  readonly dimensions: number
  /** Jobs that are done at once. */
  readonly concurrency: number
  /**
   * Whether all is written that Loam writes: that a job was begun, and each model call before it is sent and after. Without,
   * it is the least that can be done.
   */
  readonly complete: boolean
}

/** What a job of the baseline carries. */
export interface BareJob {
  readonly deliveryId: string
  readonly agentId: string
  readonly userId: string
  readonly sessionId: string
  readonly lastSequence: number
  readonly runId: string
}

/** Name of the queue and of the consumer in `loam.deliveries`. */
export const CONSUMER = 'run.completed.episodic'

/** How long a delivery is out before it would be sent again. */
export const LEASE_MS = 30_000
