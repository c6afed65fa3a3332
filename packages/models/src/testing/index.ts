export {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type ModelServerOptions,
  type ModelServerRequest,
} from './model-server.js'
