export { serveApi, type ApiServer, type ServeApiOptions } from './serve-api.js'
export { serveHealth, type ServeHealthOptions } from './serve-health.js'
export { findServer, type RunningServer } from './server-file.js'
