import { loadEnvFile } from './env-file.js'
import { runCli } from './run-cli.js'

loadEnvFile(process.cwd(), process.env)
process.exitCode = await runCli(process.argv.slice(2))
