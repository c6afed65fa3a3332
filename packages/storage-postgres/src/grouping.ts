import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { StorageUnavailableError } from '@loam/core'
import { withRetries } from './unit-of-work.js'

/** Most that is done in one statement. */
const MAX_GROUP_SIZE = 100

/** How groups are gathered. */
export interface GroupingOptions {
  /** How long the first of a group waits for others. Default 0: until the events that are there have been handled. */
  readonly gatherMs?: number | undefined
}

/**
 * Does together what is asked for at about the same time, in one transaction of the database: what comes while a group is
 * under way goes in the next one, so that the groups grow with the load.
 *
 * A group that fails is done one by one, so that what is wrong with one is told to that one alone. When the database
 * cannot be reached, all are told so.
 *
 * @param perform does it for all of a group, and returns their results in order.
 */
export function createGrouping<Item, Result>(
  perform: (items: readonly Item[]) => Promise<readonly Result[]>,
  { gatherMs = 0 }: GroupingOptions = {},
): (item: Item) => Promise<Result> {
  let waiting: Member<Item, Result>[] = []
  let isBusy = false

  async function run(): Promise<void> {
    isBusy = true
    await (gatherMs > 0 ? delay(gatherMs) : nextTurn())
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP_SIZE)
      waiting = waiting.slice(MAX_GROUP_SIZE)
      await settle(group)
    }
    isBusy = false
  }

  async function settle(group: readonly Member<Item, Result>[]): Promise<void> {
    try {
      const results = await withRetries(() => perform(group.map(({ item }) => item)))
      for (const [index, { resolve }] of group.entries()) resolve(results[index]!)
    } catch (error) {
      if (group.length === 1 || StorageUnavailableError.isInstance(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      for (const member of group) await settle([member])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isBusy) void run()
    })
}

interface Member<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}
