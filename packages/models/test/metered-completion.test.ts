import { ModelError, fixedClock, type CompletionModel, type ModelUsage } from '@loam/core'
import type { ModelCall, ModelCallOutcome } from '@loam/storage'
import { expect, it } from 'vitest'
import { createUsageMeter, meteredCompletionModel } from '../src/index.js'
import { context } from './call-context.js'

const BOUND = 500_000
const request = {
  messages: [{ role: 'user', content: 'Tell me a story about tea.' }],
  parameters: { max_tokens: BOUND },
}

/** Completes by the rule, metered; what was reserved for each call, and what it was charged. */
async function complete(
  rule: (context: Parameters<CompletionModel['complete']>[1], abort: () => void) => void,
  parameters: Readonly<Record<string, unknown>> = request.parameters,
) {
  const begun: ModelCall[] = []
  const ended: ModelCallOutcome[] = []
  const meter = createUsageMeter({
    clock: fixedClock('2026-11-30T12:00:00Z'),
    storage: {
      modelCalls: {
        begin: async (call) => {
          begun.push(call)
          return { admitted: true }
        },
        finish: async (_call, outcome) => {
          ended.push(outcome)
        },
      },
    },
  })
  const aborting = new AbortController()
  const model: CompletionModel = {
    provider: 'test',
    model: 'test',
    async complete(_request, asked) {
      rule(asked, () => aborting.abort())
      aborting.signal.throwIfAborted()
      return { text: '', toolCalls: [], finishReason: 'stop' }
    },
  }
  const asked = { ...context, signal: aborting.signal }
  await meteredCompletionModel(model, meter)
    .complete({ ...request, parameters }, asked)
    .catch(() => {})
  return { reserved: begun[0]?.reserved?.tokens ?? 0, charged: ended[0]?.charge?.tokens ?? 0 }
}

it('an answer that is broken off costs what was asked and what came, not its bound', async () => {
  const { reserved, charged } = await complete(({ onText, onUsage }, abort) => {
    onText?.('Once upon a time, there was a leaf.')
    abort()
    onUsage?.(undefined)
  })
  expect(reserved).toBeGreaterThan(BOUND)
  expect(charged).toBeGreaterThan(15)
  expect(charged).toBeLessThan(60)
})

it('an answer whose cost nobody tells costs what was asked and what came', async () => {
  const { charged } = await complete(({ onText, onUsage }) => {
    onText?.('Once upon a time, there was a leaf.')
    onUsage?.(undefined)
  })
  expect(charged).toBeGreaterThan(15)
  expect(charged).toBeLessThan(60)
})

it('what the provider tells counts, and a failure of which it tells nothing as the estimate', async () => {
  const told: ModelUsage = { inputTokens: 7, outputTokens: 8 }
  expect(await complete(({ onUsage }) => onUsage?.(told))).toMatchObject({ charged: 15 })
  const failed = await complete(({ onUsage }) => {
    onUsage?.(undefined)
    throw new ModelError({ message: 'Broken.', reason: 'interrupted', retryable: false })
  })
  expect(failed.charged).toBe(failed.reserved)
})

it('one that is aborted before it was sent costs nothing', async () => {
  expect(await complete((_asked, abort) => abort())).toMatchObject({ charged: 0 })
})

it.each([0.5, 1e300, 2 ** 53])(
  'a bound of %d is reserved as a number that can be counted',
  async (max) => {
    const { reserved } = await complete(() => {}, { max_tokens: max })
    expect(Number.isSafeInteger(reserved)).toBe(true)
  },
)
