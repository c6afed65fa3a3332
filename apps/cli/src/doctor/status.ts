import { counted } from '../output.js'
import type { Area, Finding } from './finding.js'

/** What `GET /v1/status` answers. */
export interface Status {
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly required: boolean
    readonly detail: string
  }[]
  readonly index: {
    readonly chunks: number
    readonly withoutVector: number
    readonly provider: string
    readonly model: string
    readonly languages?: readonly string[]
  }
  readonly deliveries: readonly {
    readonly consumer: string
    readonly state: 'pending' | 'sent' | 'running' | 'done' | 'dead'
    readonly count: number
  }[]
  /** Absent in the answers of a server of an earlier release. */
  readonly waiting?: readonly {
    readonly consumer: string
    readonly reason: string
    readonly count: number
    readonly nextAt: string
  }[]
  readonly usage: {
    readonly calls: number
    readonly chargedTokens: number
    readonly costUsd: number
    readonly dailyTokenLimit?: number
    readonly dailyCostLimitUsd?: number
  }
}

/** Says in sentences how an installation stands. */
export function describeStatus(status: Status): readonly Finding[] {
  return [
    ...status.checks.map(({ name, ok, required, detail }): Finding => ({
      area: areaOf(name),
      name,
      state: ok ? 'ok' : required ? 'broken' : 'warning',
      detail,
    })),
    describeIndex(status),
    describeDeliveries(status),
    ...describeWaiting(status),
    describeUsage(status),
    describeLanguages(status),
  ]
}

function areaOf(check: string): Area {
  if (check === 'queue') return 'Jobs'
  return check === 'embeddings' || check === 'chat' ? 'Models' : 'Store'
}

/** Why work waits that failed or was put off. */
function describeWaiting({ waiting = [] }: Status): readonly Finding[] {
  return waiting.map(({ consumer, reason, count, nextAt }) => ({
    area: 'Jobs',
    name: 'waiting',
    state: 'warning',
    detail: `${counted(count, 'delivery', 'deliveries')} of ${consumer}, tried again from ${nextAt.slice(0, 16).replace('T', ' ')} UTC on: ${reason}`,
  }))
}

function describeIndex({ index }: Status): Finding {
  const { chunks, withoutVector, provider, model } = index
  const byWords = `${counted(chunks, 'chunk')} found by words`
  return withoutVector === 0
    ? {
        area: 'Memory',
        name: 'index',
        state: 'ok',
        detail: `${byWords} and by meaning (${provider}/${model}).`,
      }
    : {
        area: 'Memory',
        name: 'index',
        state: 'warning',
        detail: `${byWords}; ${counted(withoutVector, 'is', 'are')} stale: without a vector of ${provider}/${model}. Run "loam spaces fill".`,
      }
}

function describeUsage({ usage }: Status): Finding {
  const { calls, chargedTokens, costUsd, dailyTokenLimit, dailyCostLimitUsd } = usage
  const isReached =
    (dailyTokenLimit !== undefined && chargedTokens >= 0.95 * dailyTokenLimit) ||
    (dailyCostLimitUsd !== undefined && costUsd >= 0.95 * dailyCostLimitUsd)
  const tokens = `${counted(chargedTokens, 'token')}${ofLimit(dailyTokenLimit?.toLocaleString('en'))}`
  const cost = `$${costUsd.toFixed(4)}${ofLimit(dailyCostLimitUsd && `$${dailyCostLimitUsd}`)}`
  return {
    area: 'Models',
    name: 'model calls',
    state: isReached ? 'warning' : 'ok',
    detail: `${counted(calls, 'call')} today (UTC), ${tokens}, ${cost}.${isReached ? ' At the limit, work waits for the next day.' : ''}`,
  }
}

function ofLimit(limit: string | number | undefined): string {
  return limit === undefined ? '' : ` of ${limit}`
}

function describeDeliveries({ deliveries }: Status): Finding {
  const sum = (...states: readonly string[]) =>
    deliveries
      .filter(({ state }) => states.includes(state))
      .reduce((all, { count }) => all + count, 0)
  const waiting = sum('pending', 'sent', 'running')
  const dead = sum('dead')
  if (dead > 0) {
    return {
      area: 'Jobs',
      name: 'deliveries',
      state: 'broken',
      detail: `${dead} given up after repeated failures, ${waiting} waiting. "loam dlq list" says why; "loam dlq replay" has them tried again.`,
    }
  }
  return waiting > 0
    ? {
        area: 'Jobs',
        name: 'deliveries',
        state: 'warning',
        detail: `${waiting} waiting. They are done while "loam serve" runs, or a worker where there is a queue.`,
      }
    : { area: 'Jobs', name: 'deliveries', state: 'ok', detail: 'None waiting, none given up.' }
}

/** In which languages a search finds meaning; words are found in all. */
function describeLanguages({ index: { languages, provider, model } }: Status): Finding {
  const meaning =
    languages === undefined
      ? `in the languages that ${provider}/${model} knows`
      : `in ${languages.map(languageName).join(', ')} only (${provider}/${model})`
  return {
    area: 'Memory',
    name: 'languages',
    state: 'ok',
    detail: `Words are searched in every language, meaning ${meaning}.`,
  }
}

function languageName(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
}
