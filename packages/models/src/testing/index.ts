export { MODEL_FAULTS, type ModelFault, type ModelFaultName } from './model-faults.js'
export {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type ModelServerOptions,
  type ModelServerRequest,
} from './model-server.js'
