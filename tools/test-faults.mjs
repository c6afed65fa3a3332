/** `npm run test:faults [-- --kills <count> --seed <number>]`: kills processes and servers at random, and looks whether anything is lost. */
import { runFaultTests } from './faults/src/run-fault-tests.mjs'
import { endWithNpm } from './workspace/end-with-npm.mjs'
import { requireSupportedNode } from './workspace/node-version.mjs'

requireSupportedNode()
endWithNpm()
process.exitCode = await runFaultTests(process.argv.slice(2))
