/** `npm run demo [-- <file>]`: installs and builds what is missing, then shows the whole loop on one conversation. */
import { runLoam } from './workspace/run-loam.mjs'

// npm runs scripts in the root of the repository, but a file is named from where the person stands.
process.chdir(process.env['INIT_CWD'] ?? process.cwd())

await runLoam(['demo', ...process.argv.slice(2)])
