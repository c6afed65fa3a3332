import { relative } from 'node:path'
import { repositoryRoot } from '../workspace/root.mjs'

/**
 * The last lines of a run: what failed, what was skipped and why, and the counts alone on the closing line.
 * @param {object} run
 * @param {import('./test-results.mjs').TestResults | undefined} run.tests `undefined` if they did not run to their end
 * @param {readonly string[]} run.failedSteps the names of failed steps, `tests` among them if they failed
 * @param {readonly { name: string, reason: string }[]} run.unavailable servers that could not be had
 */
export function summarize({ tests, failedSteps, unavailable }) {
  const { passed = 0, failed = 0, skipped = 0, skippedIn = [] } = tests ?? {}
  // Failed tests count one by one; their step counts only if it failed for another reason.
  const otherSteps = failedSteps.filter((name) => name !== 'tests' || failed === 0)

  const lines = failedSteps.map((name) => `Failed: ${name}`)
  if (skippedIn.length > 0) {
    lines.push('Skipped suites:')
    for (const { file, count } of skippedIn) {
      lines.push(`  ${relative(repositoryRoot, file)} (${count})`)
    }
    for (const { name, reason } of unavailable) lines.push(`There is no ${name}: ${reason}.`)
  }
  const counts = [`${passed} passed`, `${failed + otherSteps.length} failed`]
  if (skipped > 0) counts.push(`${skipped} skipped`)
  lines.push(counts.join(', '))
  return lines.join('\n')
}
