import { homedir } from 'node:os'
import { loadConfig } from '@loam/runtime'
import { createProcessLogger, runProcess, stopSignal } from '@loam/server/process'
import { runApi } from './run-api.js'

const service = 'loam-api'
await runProcess(service, async () => {
  const config = loadConfig(process.env, { cwd: process.cwd(), userHome: homedir() })
  const { logLevel: level, logFormat: format = 'json' } = config
  const logger = createProcessLogger({ level, format, service })
  await runApi(config, { logger, stop: stopSignal() })
})
