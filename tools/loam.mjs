#!/usr/bin/env node
// `npx loam` inside the repository: installs and builds what is missing, then runs the command.
import { runLoam } from './workspace/run-loam.mjs'

await runLoam(process.argv.slice(2))
