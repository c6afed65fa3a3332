/** For whom a place is asked. */
export interface PlaceOwner {
  readonly tenantId: string
  readonly userId: string
}

/** A place that was asked for. */
export interface Place {
  /** Resolves when it is there. */
  readonly ready: Promise<void>
  /** Gives it back, or gives up waiting for it. */
  leave(): void
}

/** A number of places that are given to those who wait in turn. */
export interface FairPlaces {
  ask(owner: PlaceOwner): Place
}

/** One who waits for places or has some: a tenant, or a user of one. */
interface Holder {
  held: number
  /** Places held and asked for. */
  open: number
  /** When one was given last, as a count of all that were given. */
  lastGiven: number
}

interface Waiting {
  readonly tenant: Holder
  readonly user: Holder
  readonly give: () => void
}

/**
 * Makes places of which the next goes to whoever has the fewest: among tenants, then among the users of one, then to the one
 * who has waited longest since the last. So nobody waits for all that another has asked for.
 *
 * @param spare places that no single user gets, so that there is one for whoever comes while another's work takes long.
 */
export function createFairPlaces(count: number, spare = 0): FairPlaces {
  const mostOfOne = Math.max(1, count - spare)
  const holders = new Map<string, Holder>()
  const waiting = new Set<Waiting>()
  let free = count
  let given = 0

  function holderOf(key: string): Holder {
    const known = holders.get(key)
    if (known) return known
    const made = { held: 0, open: 0, lastGiven: 0 }
    holders.set(key, made)
    return made
  }

  function giveAll(): void {
    while (free > 0) {
      let next: Waiting | undefined
      for (const one of waiting) {
        if (one.user.held >= mostOfOne) continue
        if (next === undefined || isBefore(one, next)) next = one
      }
      if (next === undefined) return
      waiting.delete(next)
      free -= 1
      given += 1
      for (const holder of [next.tenant, next.user]) {
        holder.held += 1
        holder.lastGiven = given
      }
      next.give()
    }
  }

  return {
    ask({ tenantId, userId }) {
      const keys = [JSON.stringify([tenantId]), JSON.stringify([tenantId, userId])] as const
      const [tenant, user] = [holderOf(keys[0]), holderOf(keys[1])]
      const both = [tenant, user]
      for (const holder of both) holder.open += 1
      let give!: () => void
      const ready = new Promise<void>((resolve) => {
        give = resolve
      })
      const one = { tenant, user, give }
      waiting.add(one)
      giveAll()
      let isLeft = false
      return {
        ready,
        leave() {
          if (isLeft) return
          isLeft = true
          if (!waiting.delete(one)) {
            free += 1
            for (const holder of both) holder.held -= 1
          }
          for (const [index, holder] of both.entries()) {
            holder.open -= 1
            if (holder.open === 0) holders.delete(keys[index]!)
          }
          giveAll()
        },
      }
    },
  }
}

/** Among equals, whoever asked first comes first: that is the order of the set. */
function isBefore(one: Waiting, other: Waiting): boolean {
  const difference =
    one.tenant.held - other.tenant.held ||
    (one.tenant === other.tenant ? 0 : one.tenant.lastGiven - other.tenant.lastGiven) ||
    one.user.held - other.user.held ||
    one.user.lastGiven - other.user.lastGiven
  return difference < 0
}
