/** Servers for tests and development: `node tools/services/main.mjs up|down|status|run -- <command>`. */
import { runCommand } from '../workspace/run-command.mjs'
import { exportLine } from './export-line.mjs'
import { describeServices, startServices, stopServices } from './services.mjs'

const usage = `Usage: node tools/services/main.mjs <command>

  up                  start Postgres and Redis, and print their URLs as exports for a shell: eval "$(… up)"
  down                stop what was started, and remove what it stored
  status              tell where each comes from, and whether it answers
  run -- <command>    start them, run the command with the variables set, stop what was started

They come from LOAM_TEST_DATABASE_URL and LOAM_TEST_REDIS_URL if set, else from Docker,
else from local programs, else (on Debian, as root) from Debian's packages.`

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  async up() {
    const { environment, unavailable } = await startServices()
    for (const [name, url] of Object.entries(environment)) console.log(exportLine(name, url))
    return reportUnavailable(unavailable)
  },

  async down() {
    await stopServices()
    return 0
  },

  async status() {
    for (const { name, provider, url, answers } of await describeServices()) {
      const state = answers ? 'answers' : url ? 'does not answer' : 'not running'
      console.log(`${name}: ${provider}, ${state}`)
    }
    return 0
  },

  async run(args) {
    const [command, ...rest] = args[0] === '--' ? args.slice(1) : args
    if (command === undefined) {
      console.error(usage)
      return 2
    }
    const owner = process.pid
    // Interrupted while starting or stopping, it must still come to the end and stop what it started.
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => {})
    }
    try {
      const { environment, unavailable } = await startServices({ owner })
      reportUnavailable(unavailable)
      const env = { ...process.env, ...environment }
      return (await runCommand(command, rest, { env, cwd: process.cwd() })).code
    } finally {
      await stopServices({ owner })
    }
  },
}

/** @param {import('./services.mjs').ServicesReport['unavailable']} unavailable */
function reportUnavailable(unavailable) {
  for (const { name, reason } of unavailable) console.error(`${name} is not available: ${reason}.`)
  return unavailable.length === 0 ? 0 : 1
}

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) {
  console.error(usage)
  process.exitCode = name === '--help' ? 0 : 2
} else {
  process.exitCode = await command(args)
}
