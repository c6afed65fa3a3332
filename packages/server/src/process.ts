export { createProcessLogger, fromPino, type ProcessLoggerOptions } from './process/logger.js'
export { runProcess } from './process/run-process.js'
export { stopSignal } from './process/stop-signal.js'
