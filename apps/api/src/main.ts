import { homedir } from 'node:os'
import { ConfigurationError } from '@loam/core'
import { loadConfig } from '@loam/runtime'
import { createJsonLogger, stopSignal } from '@loam/server/node'
import { runApi } from './run-api.js'

const service = 'loam-api'
try {
  const config = loadConfig(process.env, { cwd: process.cwd(), userHome: homedir() })
  const logger = createJsonLogger({ level: config.logLevel, service })
  await runApi(config, { logger, stop: stopSignal() })
} catch (error) {
  // Whoever set the variables reads a list; whoever keeps the process running, a log.
  if (ConfigurationError.isInstance(error)) process.stderr.write(`${error.message}\n`)
  else createJsonLogger({ level: 'error', service }).error('api-failed', { error })
  process.exitCode = 1
}
