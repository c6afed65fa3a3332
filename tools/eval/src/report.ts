import type { AnsweredQuestion, LocomoEvaluation } from './evaluate-locomo.js'
import { CATEGORIES, repairedRecall, upstreamRecall, type Recall } from './recall.js'

/** The figures of one set of questions, by both ways of counting. */
export interface ReportRow {
  readonly name: string
  readonly upstream: Recall
  readonly repaired: Recall
}

/** What an evaluation found. */
export interface LocomoReport {
  readonly cutoffs: readonly number[]
  /** One for each category, then all together. */
  readonly rows: readonly ReportRow[]
  readonly turns: number
  readonly importMs: number
  readonly searchMs: { readonly p50: number; readonly p95: number; readonly max: number }
}

/** Sums up an evaluation. */
export function makeReport(
  { questions, imported, importMs }: LocomoEvaluation,
  cutoffs: readonly number[],
): LocomoReport {
  const row = (name: string, chosen: readonly AnsweredQuestion[]): ReportRow => ({
    name,
    upstream: upstreamRecall(chosen, cutoffs),
    repaired: repairedRecall(chosen, cutoffs, ({ sample }) => sample.turnIds),
  })
  const times = questions.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  const quantile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0
  return {
    cutoffs,
    rows: [
      ...CATEGORIES.map(([id, name]) =>
        row(
          name,
          questions.filter(({ category }) => category === id),
        ),
      ),
      row('overall', questions),
    ],
    turns: imported.stored + imported.duplicates,
    importMs,
    searchMs: { p50: quantile(0.5), p95: quantile(0.95), max: times.at(-1) ?? 0 },
  }
}

/** A report as a table for people. */
export function formatReport(report: LocomoReport): string {
  const { cutoffs, rows, turns, importMs, searchMs } = report
  const table = (title: string, pick: (row: ReportRow) => Recall) => [
    title,
    line('', 'questions', [...cutoffs.map((cutoff) => `R@${cutoff}`), 'MRR']),
    ...rows.map((row) => {
      const { questions, at, mrr } = pick(row)
      return line(row.name, String(questions), [...at, mrr].map(percent))
    }),
    '',
  ]
  return [
    ...table('Upstream counting (percent)', ({ upstream }) => upstream),
    ...table('Repaired counting (percent)', ({ repaired }) => repaired),
    `${turns} turns imported in ${(importMs / 1000).toFixed(1)} s`,
    `search: p50 ${searchMs.p50.toFixed(1)} ms, p95 ${searchMs.p95.toFixed(1)} ms, max ${searchMs.max.toFixed(1)} ms`,
  ].join('\n')
}

function line(name: string, count: string, figures: readonly string[]): string {
  return [name.padEnd(12), count.padStart(9), ...figures.map((text) => text.padStart(7))].join(' ')
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
