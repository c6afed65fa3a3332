import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startServices, stopServices } from '../services/services.mjs'
import { ensureInstalled } from '../workspace/install.mjs'
import { environmentWithPnpm } from '../workspace/pnpm.mjs'
import { repositoryRoot } from '../workspace/root.mjs'
import { runCommand } from '../workspace/run-command.mjs'
import { createStepRunner } from './step-runner.mjs'
import { TEST_RESULTS_FILE, checkSteps } from './steps.mjs'
import { summarize } from './summary.mjs'
import { readTestResults } from './test-results.mjs'

/** In a container each plugin of Nx would start a process of its own, for seconds each. */
const nxEnvironment = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' }

/**
 * Runs every check and test, whatever fails on the way, and ends with `N passed, N failed`.
 * @param {readonly string[]} testArguments for vitest
 * @returns {Promise<number>} the exit code
 */
export async function runAllChecks(testArguments) {
  const owner = process.pid
  const resultsFile = join(repositoryRoot, TEST_RESULTS_FILE)
  rmSync(resultsFile, { force: true })
  /** @type {import('../services/services.mjs').ServicesReport} */
  let services = { environment: {}, unavailable: [] }
  let environment = process.env
  const { runStep, failedSteps } = createStepRunner()

  try {
    const isInstalled = await runStep('dependencies', async () => {
      await ensureInstalled()
      environment = await environmentWithPnpm()
      return true
    })
    if (isInstalled) {
      await runStep('services', async () => {
        services = await startServices({ owner })
        for (const { name, reason } of services.unavailable) console.log(`  no ${name}: ${reason}`)
        return services.unavailable.length === 0 || !process.env['CI']
      })
      const env = { ...environment, ...nxEnvironment, ...services.environment }
      for (const { name, command, showsProgress = false } of checkSteps(testArguments)) {
        await runStep(name, () => passes(command, env, showsProgress))
      }
    }
  } finally {
    await stopServices({ owner })
  }

  const tests = readTestResults(resultsFile)
  console.log(`\n${summarize({ tests, failedSteps, unavailable: services.unavailable })}`)
  return failedSteps.length === 0 ? 0 : 1
}

/**
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} showsProgress
 */
async function passes([program = '', ...args], env, showsProgress) {
  const { code, output } = await runCommand(program, args, { env, capture: !showsProgress })
  if (code !== 0 && output) console.log(output.trimEnd())
  return code === 0
}
