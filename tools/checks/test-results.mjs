import { existsSync, readFileSync } from 'node:fs'

/**
 * The part that is read of what vitest's JSON reporter writes.
 * @typedef {object} VitestReport
 * @property {{ name: string, status: string, assertionResults: { status: string }[] }[]} testResults one per file
 */

/**
 * @typedef {object} TestResults
 * @property {number} passed
 * @property {number} failed Failed tests, and files that could not be loaded at all.
 * @property {number} skipped
 * @property {{ file: string, count: number }[]} skippedIn The files with skipped tests.
 */

/**
 * Reads the results of the test run; `undefined` if it left none, as when it crashed.
 * @param {string} file
 * @returns {TestResults | undefined}
 */
export function readTestResults(file) {
  return existsSync(file) ? countTestResults(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}

/**
 * @param {VitestReport} report
 * @returns {TestResults}
 */
export function countTestResults({ testResults }) {
  const files = testResults.map(({ name, status, assertionResults }) => {
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    const failedTests = assertionResults.filter((test) => test.status === 'failed').length
    return {
      name,
      passed,
      failed: status === 'failed' ? Math.max(failedTests, 1) : failedTests,
      skipped: assertionResults.length - passed - failedTests,
    }
  })
  /** @param {'passed' | 'failed' | 'skipped'} key */
  const total = (key) => files.reduce((sum, file) => sum + file[key], 0)
  return {
    passed: total('passed'),
    failed: total('failed'),
    skipped: total('skipped'),
    skippedIn: files
      .filter(({ skipped }) => skipped > 0)
      .map(({ name, skipped }) => ({ file: name, count: skipped })),
  }
}
