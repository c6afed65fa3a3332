import { ConfigurationError } from '@loam/core'
import { loadConfig } from '@loam/runtime'
import { createLogger } from './logger.js'
import { runApi } from './run-api.js'
import { stopSignal } from './stop-signal.js'

try {
  const config = loadConfig(process.env, { cwd: process.cwd() })
  await runApi(config, { logger: createLogger(config.logLevel), stop: stopSignal() })
} catch (error) {
  // Whoever set the variables reads a list; whoever keeps the process running, a log.
  if (ConfigurationError.isInstance(error)) process.stderr.write(`${error.message}\n`)
  else createLogger('error').error('api-failed', { error })
  process.exitCode = 1
}
