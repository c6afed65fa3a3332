import type { ModelUsage } from '@loam/core'
import type { ModelCharge } from '@loam/storage'

/** What a model costs, in US dollars for a million tokens. */
export interface TokenPrice {
  readonly input: number
  /** Default: 0, as embeddings have it. */
  readonly output?: number | undefined
}

/** Dollars for a million tokens are thousands of nano-dollars for one. */
const NANO_USD_PER_TOKEN = 1000

/** What so many tokens are charged; nothing but the tokens where there is no price. */
export function chargeOf(
  { inputTokens, outputTokens }: ModelUsage,
  price: TokenPrice = { input: 0 },
): ModelCharge {
  const cost = inputTokens * price.input + outputTokens * (price.output ?? 0)
  return {
    tokens: inputTokens + outputTokens,
    costNanoUsd: Math.round(cost * NANO_USD_PER_TOKEN),
  }
}

/** The sum of charges. */
export function addCharges(...lists: readonly (readonly ModelCharge[])[]): ModelCharge {
  return lists.flat().reduce(
    (sum, charge) => ({
      tokens: sum.tokens + charge.tokens,
      costNanoUsd: sum.costNanoUsd + charge.costNanoUsd,
    }),
    { tokens: 0, costNanoUsd: 0 },
  )
}
