import { LimitError } from '@loam/core'
import type { DailyModelLimits, ModelCharge } from '@loam/storage'

const DAY_MS = 86_400_000
/** Work that met the limit looks again after this long, since an operator may have raised it. */
const LONGEST_WAIT_MS = 900_000
const NANO_USD = 1e9

/** How much of one limit is used, and how much of it a call may need. */
interface Budget {
  readonly unit: 'tokens' | 'usd'
  readonly cap: number
  readonly used: number
  readonly needed: number
}

/** The error for a call that needs more than a whole day's limit; undefined when it does not. */
export function limitTooLow(
  limits: DailyModelLimits,
  reserved: ModelCharge,
): LimitError | undefined {
  const budget = budgetsOf(limits, reserved).find(({ cap, needed }) => needed > cap)
  if (!budget) return undefined
  const { unit, cap, needed } = budget
  return new LimitError({
    message: `This call may need ${show(needed, unit)}, and the tenant may use ${show(cap, unit)} in a whole day, so that waiting does not help. Raise the limit, or ask for less at once.`,
    details: { unit, cap, needed },
  })
}

/** The error for a call that does not fit into what is left of the tenant's day. */
export function limitReached(
  limits: DailyModelLimits,
  call: { readonly reserved: ModelCharge; readonly used: ModelCharge; readonly now: Date },
): LimitError {
  const now = call.now.getTime()
  const resetsAt = new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS)
  const budgets = budgetsOf(limits, call.reserved, call.used)
  // None is exceeded when another call has just given something back.
  const budget = budgets.find(({ cap, used, needed }) => used + needed > cap) ?? budgets[0]
  const { unit, cap, used, needed } = budget ?? { unit: 'tokens', cap: 0, used: 0, needed: 0 }
  return new LimitError({
    message: `The tenant has used ${show(used, unit)} of the ${show(cap, unit)} that it may use in a day, and this call may need ${show(needed, unit)}. Wait until ${resetsAt.toISOString()}, or raise the limit.`,
    details: { unit, cap, used, needed, resetsAt: resetsAt.toISOString() },
    retryAfterMs: Math.min(resetsAt.getTime() - now, LONGEST_WAIT_MS),
  })
}

function budgetsOf(
  limits: DailyModelLimits,
  reserved: ModelCharge,
  used: ModelCharge = { tokens: 0, costNanoUsd: 0 },
): readonly Budget[] {
  const budgets: Budget[] = []
  if (limits.tokens !== undefined) {
    const { tokens: cap } = limits
    budgets.push({ unit: 'tokens', cap, used: used.tokens, needed: reserved.tokens })
  }
  if (limits.costNanoUsd !== undefined) {
    budgets.push({
      unit: 'usd',
      cap: limits.costNanoUsd / NANO_USD,
      used: used.costNanoUsd / NANO_USD,
      needed: reserved.costNanoUsd / NANO_USD,
    })
  }
  return budgets
}

function show(amount: number, unit: Budget['unit']): string {
  return unit === 'tokens' ? `${amount} tokens` : `$${amount}`
}
