import { counted } from '../output.js'
import type { Finding } from './finding.js'

/** What `GET /v1/status` answers. */
export interface Status {
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
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
    readonly state: 'pending' | 'sent' | 'done' | 'dead'
    readonly count: number
  }[]
}

/** Says in sentences how an installation stands. */
export function describeStatus(status: Status): readonly Finding[] {
  return [
    ...status.checks.map(({ name, ok, detail }): Finding => ({
      name,
      state: ok ? 'ok' : 'broken',
      detail,
    })),
    describeIndex(status),
    describeDeliveries(status),
    describeLanguages(status),
  ]
}

function describeIndex({ index }: Status): Finding {
  const { chunks, withoutVector, provider, model } = index
  const byWords = `${counted(chunks, 'chunk')} found by words`
  return withoutVector === 0
    ? { name: 'index', state: 'ok', detail: `${byWords} and by meaning (${provider}/${model}).` }
    : {
        name: 'index',
        state: 'warning',
        detail: `${byWords}; ${counted(withoutVector, 'is', 'are')} stale: without a vector of ${provider}/${model}. Run "loam spaces fill".`,
      }
}

function describeDeliveries({ deliveries }: Status): Finding {
  const sum = (...states: readonly string[]) =>
    deliveries
      .filter(({ state }) => states.includes(state))
      .reduce((all, { count }) => all + count, 0)
  const waiting = sum('pending', 'sent')
  const dead = sum('dead')
  if (dead > 0) {
    return {
      name: 'deliveries',
      state: 'broken',
      detail: `${dead} given up after repeated failures, ${waiting} waiting. The log says why they failed.`,
    }
  }
  return waiting > 0
    ? {
        name: 'deliveries',
        state: 'warning',
        detail: `${waiting} waiting. They are done while "loam serve" runs.`,
      }
    : { name: 'deliveries', state: 'ok', detail: 'None waiting, none given up.' }
}

/** In which languages a search finds meaning; words are found in all. */
function describeLanguages({ index: { languages, provider, model } }: Status): Finding {
  const meaning =
    languages === undefined
      ? `in the languages that ${provider}/${model} knows`
      : `in ${languages.map(languageName).join(', ')} only (${provider}/${model})`
  return {
    name: 'languages',
    state: 'ok',
    detail: `Words are searched in every language, meaning ${meaning}.`,
  }
}

function languageName(tag: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag
}
