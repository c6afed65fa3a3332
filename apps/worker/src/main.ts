import { loadConfig } from '@loam/runtime'
import { createProcessLogger, runProcess, stopSignal } from '@loam/server/process'
import { runWorker } from './run-worker.js'

const service = 'loam-worker'
await runProcess(service, async () => {
  const config = loadConfig(process.env, { cwd: process.cwd(), needsKey: false })
  const { logLevel: level, logFormat: format = 'json' } = config
  const logger = createProcessLogger({ level, format, service })
  await runWorker(config, { logger, stop: stopSignal() })
})
