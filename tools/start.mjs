/** `npm start`: installs and builds what is missing, then serves Loam from one process. */
import { runLoam } from './workspace/run-loam.mjs'

await runLoam(['serve', ...process.argv.slice(2)])
