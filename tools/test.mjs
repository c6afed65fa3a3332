/** `npm test [-- <vitest arguments>]`: installs what is missing, then checks and tests everything. */
import { runAllChecks } from './checks/run-all-checks.mjs'
import { endWithNpm } from './workspace/end-with-npm.mjs'
import { requireSupportedNode } from './workspace/node-version.mjs'

requireSupportedNode()
endWithNpm()
process.exitCode = await runAllChecks(process.argv.slice(2))
