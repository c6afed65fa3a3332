/** `npm run bench [-- <arguments>]`: installs and builds what is missing, finds or starts Postgres and Redis, then measures. */
import { join } from 'node:path'
import { startServices, stopServices } from './services/services.mjs'
import { endWithNpm } from './workspace/end-with-npm.mjs'
import { ensureInstalled } from './workspace/install.mjs'
import { requireSupportedNode } from './workspace/node-version.mjs'
import { repositoryRoot } from './workspace/root.mjs'
import { runCommand } from './workspace/run-command.mjs'
import { tool } from './workspace/tool.mjs'

requireSupportedNode()
endWithNpm()
await ensureInstalled()
const folder = join(repositoryRoot, 'tools/bench')
const [command, tsc] = tool('typescript7', 'tsc')
const built = await runCommand(command, [tsc, '-b', join(folder, 'tsconfig.lib.json')])
if (built.code !== 0) process.exit(built.code)

const owner = process.pid
// Interrupted, it must still come to the end and stop what it started.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {})
}
try {
  const { environment, unavailable } = await startServices({ owner })
  for (const { name, reason } of unavailable) console.error(`${name} is not available: ${reason}.`)
  const main = join(folder, 'dist/main.js')
  const env = { ...process.env, ...environment }
  const { code } = await runCommand(process.execPath, [main, ...process.argv.slice(2)], { env })
  process.exitCode = code
} finally {
  await stopServices({ owner })
}
