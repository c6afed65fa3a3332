import type { Logger } from '@loam/core'
import type { Redis } from 'ioredis'

/** Knows how the connections of one bus stand. */
export interface ConnectionWatch {
  /** Watches one more. */
  add(client: Redis): void
  /** Whether this one has no connection at present and waits to try again. */
  isLost(client: Redis): boolean
  /** Whether this error came from a connection, and was dealt with here. */
  knows(error: unknown): boolean
  /** What last went wrong, while something is wrong. */
  readonly lastError: string | undefined
  /** Says nothing more. */
  stop(): void
}

/** What a watch works with. */
export interface ConnectionWatchOptions {
  readonly logger: Logger
  /** Cuts secrets out of a text. */
  readonly hideSecrets: (text: string) => string
}

/** Makes a watch, which logs once when Redis is lost and once when it is back, however many connections there are. */
export function createConnectionWatch({
  logger,
  hideSecrets,
}: ConnectionWatchOptions): ConnectionWatch {
  const lost = new Set<Redis>()
  const errors = new WeakSet<Error>()
  let lastError: string | undefined
  let isSaid = false
  let stopped = false

  return {
    add(client) {
      client.on('error', (error: Error) => {
        errors.add(error)
        // Only the message: the error of a refused login carries the command, and with it the password.
        if (!isDisconnection(error)) lastError = explain(hideSecrets(error.message))
      })
      // Not 'close', which also follows when somebody here has ended the connection.
      client.on('reconnecting', () => {
        lost.add(client)
        if (stopped || isSaid) return
        isSaid = true
        logger.warn('Redis cannot be reached; trying again.', {
          error: lastError ?? 'The connection was closed.',
        })
      })
      client.on('ready', () => {
        if (!lost.delete(client) || lost.size > 0) return
        lastError = undefined
        if (isSaid && !stopped) logger.info('Redis can be reached again.')
        isSaid = false
      })
      client.on('end', () => lost.delete(client))
    },
    isLost: (client) => lost.has(client),
    knows: (error) => error instanceof Error && errors.has(error),
    get lastError() {
      return lastError
    },
    stop() {
      stopped = true
    },
  }
}

/** What Redis says to a login that it does not let in. */
const REFUSED_LOGIN = /^(?:WRONGPASS|NOAUTH|ERR (?:invalid password|AUTH|Client sent AUTH))/

/** With the cure, where what Redis says needs one. */
function explain(message: string): string {
  return REFUSED_LOGIN.test(message)
    ? `Redis refuses the login; check user and password in its URL: ${message}`
    : message
}

/** Whether an error says no more than that there is no connection. */
export function isDisconnection(error: unknown): boolean {
  return error instanceof Error && NO_CONNECTION.test(error.message)
}

const NO_CONNECTION =
  /Stream isn't writeable|Connection is closed|max retries per request|due to connection close/
