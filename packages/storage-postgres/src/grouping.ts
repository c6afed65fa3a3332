import { StorageUnavailableError } from '@loam/core'
import { withRetries } from './unit-of-work.js'

/** Most that is done in one statement. */
const MAX_GROUP_SIZE = 100

/**
 * Does together what is asked for while others are under way. Whoever comes first is not kept waiting; whoever comes
 * meanwhile goes in the next group, so that the groups grow with the load.
 *
 * A group that fails is done one by one, so that what is wrong with one is told to that one alone. When the database
 * cannot be reached, all are told so.
 *
 * @param perform does it for all of a group, in one transaction, and returns their results in order.
 */
export function createGrouping<Item, Result>(
  perform: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Member<Item, Result>[] = []
  let isBusy = false

  async function run(): Promise<void> {
    isBusy = true
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
  resolve(result: Result): void
  reject(error: unknown): void
}
