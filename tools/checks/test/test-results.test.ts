import { describe, expect, it } from 'vitest'
import { countTestResults } from '../test-results.mjs'

const file = (name: string, status: string, tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})

describe('countTestResults', () => {
  it('counts passed, failed and skipped tests over all files', () => {
    const results = countTestResults({
      testResults: [
        file('a', 'passed', ['passed', 'passed', 'skipped']),
        file('b', 'failed', ['failed', 'failed', 'passed', 'pending', 'todo']),
      ],
    })
    expect(results).toMatchObject({ passed: 3, failed: 2, skipped: 3 })
  })

  it('counts a file that could not be loaded as one failure', () => {
    expect(countTestResults({ testResults: [file('a', 'failed', [])] }).failed).toBe(1)
  })

  it('names the files with skipped tests', () => {
    const results = countTestResults({
      testResults: [file('a', 'passed', ['passed']), file('b', 'passed', ['skipped', 'skipped'])],
    })
    expect(results.skippedIn).toEqual([{ file: 'b', count: 2 }])
  })
})
