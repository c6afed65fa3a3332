import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStepRunner } from '../step-runner.mjs'

describe('createStepRunner', () => {
  beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
  afterEach(() => vi.restoreAllMocks())

  it('goes on after a step that fails or throws, and remembers both', async () => {
    const { runStep, failedSteps } = createStepRunner()
    expect(await runStep('types', async () => false)).toBe(false)
    expect(await runStep('lint', () => Promise.reject(new Error('no such program')))).toBe(false)
    expect(await runStep('tests', async () => true)).toBe(true)
    expect(failedSteps).toEqual(['types', 'lint'])
  })
})
