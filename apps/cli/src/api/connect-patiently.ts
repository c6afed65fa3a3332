import { setTimeout as delay } from 'node:timers/promises'
import { StoreInUseError } from '@loam/core'
import { connect, type Connection, type ConnectOptions } from './connect.js'

/** How long a store that another process holds is waited for, and how often it is looked at. */
const STORE_WITHIN_MS = 15_000
const STORE_CHECK_MS = 200

/**
 * Connects, and waits a while for a store that another process holds: whoever starts a command anew may not have ended the last
 * one yet.
 *
 * @throws StoreInUseError when it is still held then. @throws the signal's reason.
 */
export async function connectPatiently(
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  for (let waitedMs = 0; ; waitedMs += STORE_CHECK_MS) {
    signal.throwIfAborted()
    try {
      return await connect(options)
    } catch (error) {
      if (!StoreInUseError.isInstance(error) || waitedMs >= STORE_WITHIN_MS) throw error
    }
    await delay(STORE_CHECK_MS, undefined, { signal })
  }
}
