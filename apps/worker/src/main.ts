import { ConfigurationError } from '@loam/core'
import { loadConfig } from '@loam/runtime'
import { createJsonLogger, stopSignal } from '@loam/server/node'
import { runWorker } from './run-worker.js'

const service = 'loam-worker'
try {
  const config = loadConfig(process.env, { cwd: process.cwd(), needsKey: false })
  const logger = createJsonLogger({ level: config.logLevel, service })
  await runWorker(config, { logger, stop: stopSignal() })
} catch (error) {
  // Whoever set the variables reads a list; whoever keeps the process running, a log.
  if (ConfigurationError.isInstance(error)) process.stderr.write(`${error.message}\n`)
  else createJsonLogger({ level: 'error', service }).error('worker-failed', { error })
  process.exitCode = 1
}
