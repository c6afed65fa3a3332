export { createApi, type Api } from './api.js'
export type { ApiEnvironment } from './api-environment.js'
export { MAX_BODY_BYTES } from './json-body.js'
export type { Problem } from './problem.js'
