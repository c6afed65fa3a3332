import {
  LoamError,
  silentLogger,
  systemClock,
  generateId as generateUuid,
  type Clock,
  type GenerateId,
  type Logger,
  type ModelCallContext,
  type ModelUsage,
} from '@loam/core'
import type { DailyModelLimits, ModelCall, ModelCallOutcome, Storage } from '@loam/storage'
import { limitReached, limitTooLow } from './daily-limit.js'
import { addCharges, chargeOf, type TokenPrice } from './token-price.js'

/** What a usage meter works with. */
export interface UsageMeterOptions {
  readonly storage: Pick<Storage, 'modelCalls'>
  /** What the calls of each tenant may use in one day, in UTC. Default: no limits. */
  readonly limits?: DailyModelLimits | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: UUID version 7. */
  readonly generateId?: GenerateId | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** A call as it is known before it is made. */
export interface MeteredCall extends Pick<ModelCall, 'kind' | 'provider' | 'model'> {
  /** Tokens that it may need; they count until the provider says what it did need. */
  readonly estimate: ModelUsage
  /** Default: free of charge. */
  readonly price?: TokenPrice | undefined
}

/** Records calls of models and holds them to the tenant's limits. */
export interface UsageMeter {
  /**
   * Records the call, makes it by `call`, and records what it cost. It counts what it told to `onUsage` of the context that it
   * was given; a request of which the provider did not say the cost counts as the estimate.
   *
   * @throws LimitError, before anything is sent, when the tenant's day has no room for the estimate.
   */
  measure<Result>(
    planned: MeteredCall,
    context: ModelCallContext,
    call: (context: ModelCallContext) => Promise<Result>,
  ): Promise<Result>
}

/**
 * Makes a meter that keeps its records in the store, each in a transaction of its own, so that none is open while the
 * model works.
 *
 * @example
 * const meter = createUsageMeter({ storage, limits: { tokens: 1_000_000 } })
 * const chat = meteredChatModel(createOpenAiChatModel(options), meter, { input: 2.5, output: 10 })
 */
export function createUsageMeter(options: UsageMeterOptions): UsageMeter {
  const { storage, clock = systemClock, generateId = generateUuid, logger = silentLogger } = options
  const limits = limitsOf(options.limits)

  async function begin(call: ModelCall, signal: AbortSignal | undefined): Promise<void> {
    const { reserved, startedAt } = call
    const tooLow = limits && reserved && limitTooLow(limits, reserved)
    if (tooLow) throw tooLow
    const admission = await storage.modelCalls.begin(call, limits, { signal })
    if (admission.admitted || !limits || !reserved) return
    throw limitReached(limits, { reserved, used: admission.used, now: startedAt })
  }

  async function finish(call: ModelCall, outcome: Omit<ModelCallOutcome, 'finishedAt'>) {
    try {
      await storage.modelCalls.finish(call, { ...outcome, finishedAt: clock.now() })
    } catch (error) {
      // The answer is there and paid for; the call stays recorded as begun, with what was reserved for it.
      const { id } = call
      logger.warn('The outcome of a model call was not recorded.', { id, error: String(error) })
    }
  }

  return {
    async measure({ estimate, price, ...model }, context, work) {
      const { scope, task, runId, jobId, signal } = context
      const reserved = chargeOf(estimate, price)
      const call = {
        ...model,
        id: generateId(),
        scope,
        task,
        runId,
        jobId,
        startedAt: clock.now(),
        reserved,
      }
      await begin(call, signal)
      const told: (ModelUsage | undefined)[] = []
      const onUsage = (usage: ModelUsage | undefined) => {
        told.push(usage)
        context.onUsage?.(usage)
      }
      const summary = () => {
        const known = told.filter((usage) => usage !== undefined)
        return {
          usage: known.length === 0 ? undefined : addUsages(known),
          charge: addCharges(
            known.map((usage) => chargeOf(usage, price)),
            known.length === told.length ? [] : [reserved],
          ),
        }
      }
      try {
        const result = await work({ ...context, onUsage })
        // A model that answers and tells nothing cost something that nobody knows.
        await finish(call, { status: 'succeeded', ...(told.length > 0 && summary()) })
        return result
      } catch (error) {
        const errorCode = LoamError.isInstance(error) ? error.code : 'unknown'
        await finish(call, {
          status: 'failed',
          ...summary(),
          errorCode: signal?.aborted ? 'aborted' : errorCode,
        })
        throw error
      }
    },
  }
}

function limitsOf(limits: DailyModelLimits | undefined): DailyModelLimits | undefined {
  return limits?.tokens === undefined && limits?.costNanoUsd === undefined ? undefined : limits
}

function addUsages(usages: readonly ModelUsage[]): ModelUsage {
  return usages.reduce((sum, usage) => ({
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
  }))
}
