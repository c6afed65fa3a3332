import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startServices, stopServices } from '../../services/services.mjs'
import { ensureInstalled } from '../../workspace/install.mjs'
import { environmentWithPnpm } from '../../workspace/pnpm.mjs'
import { runCommand } from '../../workspace/run-command.mjs'
import { tool } from '../../workspace/tool.mjs'

const usage = `Usage: npm run test:faults [-- --kills <count> --seed <number>]

  --kills <count>    how many times something is killed at random (default: 50)
  --seed <number>    repeats the choices of an earlier run (default: another one each time)`

/**
 * Runs the fault tests with many kills, and tells the seed before and after.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function runFaultTests(args) {
  const options = readOptions(args)
  if (options === undefined) {
    console.error(usage)
    return 2
  }
  const { kills, seed } = options
  const repeat = `npm run test:faults -- --kills ${kills} --seed ${seed}`
  console.log(`${kills} kills, seed ${seed}\n`)

  const owner = process.pid
  try {
    await ensureInstalled()
    const { environment, unavailable } = await startServices({ owner })
    for (const { name, reason } of unavailable) console.log(`no ${name}: ${reason}`)
    const env = {
      ...(await environmentWithPnpm()),
      ...environment,
      LOAM_TEST_FAULT_KILLS: kills,
      LOAM_TEST_FAULT_SEED: seed,
    }
    const [node, vitest] = tool('vitest', 'vitest')
    const files = ['tools/faults/test/', 'packages/runtime/test/crash']
    // One file after another: a kill is to hit a busy process, and not one that waits for a core.
    const command = [vitest, 'run', '--no-file-parallelism', ...files]
    const { code } = await runCommand(node, command, { env })
    if (code !== 0) console.log(`\nSomething failed with seed ${seed}. Again: ${repeat}`)
    return code
  } finally {
    await stopServices({ owner })
  }
}

/** @param {readonly string[]} args */
function readOptions(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { kills: { type: 'string' }, seed: { type: 'string' } },
    })
    const { kills = '50', seed = String(randomInt(1_000_000_000)) } = values
    return [kills, seed].every((number) => /^\d{1,9}$/.test(number)) ? { kills, seed } : undefined
  } catch {
    return undefined
  }
}
