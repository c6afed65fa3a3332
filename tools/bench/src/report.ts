import type { Comparison, MeasuredSide, Outcome } from './comparison.js'
import type { MachineFacts } from './machine.js'

/** What a run of benchmarks found. */
export interface BenchmarkReport {
  readonly machine: MachineFacts
  /** The load averages when all was measured. */
  readonly loadAtEnd: string
  readonly comparisons: readonly Comparison[]
}

/** A report for people. */
export function formatReport({ machine, loadAtEnd, comparisons }: BenchmarkReport): string {
  const facts = Object.entries({ ...machine, 'load at the end': loadAtEnd })
  return [
    ...facts.map(([name, value]) => `${name.padEnd(16)} ${value}`),
    ...comparisons.flatMap((comparison) => ['', ...describe(comparison)]),
  ].join('\n')
}

function describe(comparison: Comparison): readonly string[] {
  const { title, unit, better, ours, theirs, besides, outcome } = comparison
  return [
    `${title} (${unit}, ${better} is better)`,
    ...[...ours, ...theirs].map((side) => row(side)),
    ...besides.map((side) => row(side, 'beside')),
    outcome === undefined
      ? '  measured without its counterpart'
      : describeOutcome(outcome, comparison),
  ]
}

function row({ name, median, min, max }: MeasuredSide, note = ''): string {
  const range = `${figure(min)} to ${figure(max)}`
  return `  ${name.padEnd(30)} ${figure(median).padStart(8)}  ${range.padEnd(20)} ${note}`.trimEnd()
}

function describeOutcome(
  { by, ofMedians, min, max, targetMet }: Outcome,
  { better, target }: Comparison,
): string {
  const bound = better === 'higher' ? 'at least' : 'at most'
  const kept = targetMet ? 'met' : 'missed'
  return `  ${by} ${figure(ofMedians)} (${figure(min)} to ${figure(max)} in the rounds); target ${bound} ${target}: ${kept}`
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
