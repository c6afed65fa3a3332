import postgres from 'postgres'
import { until } from './until.js'

/** A lock in the database that stops whoever needs it. */
export interface HeldLock {
  /** Resolves when a statement like this waits for it, or for one that does. */
  awaited(statement: RegExp): Promise<void>
  /**
   * Ends the server's side of those that wait. A statement that is a transaction by itself is sent with its commit, so that the
   * server would do it after the lock's release, though the process that sent it is gone.
   */
  dropWaiting(): Promise<void>
  release(): Promise<void>
}

/** Takes a lock with a statement, in a transaction that stays open. */
export async function holdLock(url: string, statement: string): Promise<HeldLock> {
  const connection = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'faults-lock' },
  })
  const watcher = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await connection.unsafe('begin')
    await connection.unsafe(statement)
    // Not only those that wait for this lock itself: others may wait behind them.
    const waiting = async () =>
      await watcher<{ query: string }[]>`
      select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return {
      async awaited(pattern) {
        await until(
          `a statement like ${String(pattern)} waits for the lock of "${statement}"`,
          async () => (await waiting()).some(({ query }) => pattern.test(query)),
          {
            everyMs: 10,
            diagnose: async () =>
              `There wait:\n${(await waiting()).map(({ query }) => query).join('\n')}`,
          },
        )
      },
      async dropWaiting() {
        await watcher`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        await until('nobody waits for a lock', async () => (await waiting()).length === 0, {
          everyMs: 10,
        })
      },
      async release() {
        await connection.unsafe('rollback').catch(() => {})
        await Promise.all([connection.end(), watcher.end()])
      },
    }
  } catch (error) {
    await Promise.all([connection.end(), watcher.end()])
    throw error
  }
}
