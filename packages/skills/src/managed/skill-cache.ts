/** A value that holds as long as its stamp does. */
interface Kept<Value> {
  readonly stamp: string
  readonly value: Value
  readonly weight: number
}

/** Remembers values by key while their stamp is the present one; those used longest ago go first. */
export interface StampedCache<Value> {
  get(key: string, stamp: string): Value | undefined
  set(key: string, stamp: string, value: Value, weight: number): void
}

/** Makes a cache of bounded weight. */
export function createStampedCache<Value>(maxWeight: number): StampedCache<Value> {
  const kept = new Map<string, Kept<Value>>()
  let total = 0

  function drop(key: string): void {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }

  return {
    get(key, stamp) {
      const found = kept.get(key)
      if (found === undefined || found.stamp !== stamp) return undefined
      // Last in the order is what was used last.
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, stamp, value, weight) {
      drop(key)
      if (weight > maxWeight) return
      kept.set(key, { stamp, value, weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (total <= maxWeight) break
        drop(oldest)
      }
    },
  }
}
