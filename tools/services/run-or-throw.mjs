import { runCommand } from '../workspace/run-command.mjs'

/**
 * Runs a command quietly; throws with the end of its output if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('../workspace/run-command.mjs').CommandOptions} [options]
 */
export async function runOrThrow(command, args, options = {}) {
  const { code, output, stdout } = await runCommand(command, args, { ...options, capture: true })
  if (code === 0) return stdout
  const tail = output.trim().split('\n').slice(-15).join('\n')
  throw new Error(`"${[command, ...args].join(' ')}" failed with exit code ${code}:\n${tail}`)
}
