import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../workspace/root.mjs'
import { summarize } from '../summary.mjs'

const tests = { passed: 7, failed: 0, skipped: 0, skippedIn: [] }
const closingLine = (run: Parameters<typeof summarize>[0]) => summarize(run).split('\n').at(-1)

describe('summarize', () => {
  it('is one line when all passed', () => {
    expect(summarize({ tests, failedSteps: [], unavailable: [] })).toBe('7 passed, 0 failed')
  })

  it.each([
    ['each failed step', { tests, failedSteps: ['types', 'lint'] }, '7 passed, 2 failed'],
    [
      'failed tests one by one, and not their step again',
      { tests: { ...tests, failed: 3 }, failedSteps: ['tests', 'lint'] },
      '7 passed, 4 failed',
    ],
    [
      'a test run that failed without a failed test',
      { tests, failedSteps: ['tests'] },
      '7 passed, 1 failed',
    ],
    [
      'a test run that left no results',
      { tests: undefined, failedSteps: ['tests'] },
      '0 passed, 1 failed',
    ],
    [
      'skipped tests',
      { tests: { ...tests, skipped: 2 }, failedSteps: [] },
      '7 passed, 0 failed, 2 skipped',
    ],
  ])('counts %s', (_, run, line) => {
    expect(closingLine({ ...run, unavailable: [] })).toBe(line)
  })

  it('names the skipped suites and the server that was wanting', () => {
    const text = summarize({
      tests: {
        ...tests,
        skipped: 4,
        skippedIn: [{ file: join(repositoryRoot, 'packages/a/test/b.test.ts'), count: 4 }],
      },
      failedSteps: [],
      unavailable: [{ name: 'postgres', reason: 'nothing answers' }],
    })
    expect(text).toContain('packages/a/test/b.test.ts (4)')
    expect(text).toContain('There is no postgres: nothing answers.')
  })
})
