import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { repositoryRoot } from './root.mjs'

/**
 * @typedef {object} CommandOptions
 * @property {NodeJS.ProcessEnv} [env] The whole environment of the command; default this process's own.
 * @property {string} [cwd] Where it runs; default the root of the repository.
 * @property {boolean} [capture] Collects the output instead of showing it; default false.
 * @property {number} [uid] The user to run as; default the present one.
 * @property {number} [gid] The group to run as; default the present one.
 */

/**
 * @typedef {object} CommandResult
 * @property {number} code The exit code; 127 if the command could not be started, 128 and more if a signal ended it.
 * @property {string} output What it printed on both its outputs, if it was captured.
 * @property {string} stdout What it printed on its standard output alone, if it was captured.
 */

/** @type {NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command to its end. Signals that reach this process meanwhile go on to the command.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  const { env = process.env, cwd = repositoryRoot, capture = false, uid, gid } = options
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      env,
      cwd,
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
      // On Windows npm and pnpm are batch files, which only a shell can start.
      shell: process.platform === 'win32' && command !== process.execPath,
      ...(uid !== undefined && { uid }),
      ...(gid !== undefined && { gid }),
    })
    let output = ''
    let stdout = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text))

    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // Ctrl-C in a terminal reaches the whole group by itself; twice would read as "stop at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    for (const signal of forwardedSignals) process.on(signal, forward)

    /** @param {number} code */
    const finish = (code) => {
      for (const signal of forwardedSignals) process.off(signal, forward)
      resolve({ code, output, stdout })
    }
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('close', (code, signal) =>
      finish(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    )
  })
}

/**
 * Whether whoever waited for a command had it ended, and needs no explanation.
 * @param {number} code its exit code
 */
export function wasInterrupted(code) {
  return forwardedSignals.some((signal) => code === 128 + constants.signals[signal])
}

/**
 * Runs a command quietly and returns what it printed, or `undefined` if it failed or is not there.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 */
export async function outputOf(command, args, options = {}) {
  const { code, stdout } = await runCommand(command, args, { ...options, capture: true })
  return code === 0 ? stdout.trim() : undefined
}
