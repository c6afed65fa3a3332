export { serveApi, type ApiServer, type ServeApiOptions } from './serve-api.js'
export { findServer, type RunningServer } from './server-file.js'
