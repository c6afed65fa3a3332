import { loadEnvFile } from './env-file.js'
import { runCli } from './run-cli.js'

for (const stream of [process.stdout, process.stderr]) {
  // Whoever read it has enough, such as `head`; that is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
loadEnvFile(process.cwd(), process.env)
process.exitCode = await runCli(process.argv.slice(2))
