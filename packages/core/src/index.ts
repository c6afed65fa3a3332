export type { AbortableOptions } from './abort.js'
export { fixedClock, systemClock, type Clock } from './clock.js'
export {
  ConfigurationError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  LimitError,
  LoamError,
  ModelError,
  ModelOutputError,
  NotFoundError,
  PreconditionFailedError,
  SchemaTooNewError,
  StorageFailedError,
  StorageUnavailableError,
  StillAnsweringError,
  StoreInUseError,
  UnauthenticatedError,
  VectorDimensionError,
  type InputIssue,
  type LoamErrorInput,
  type ModelErrorReason,
} from './errors.js'
export type { DeliveryHandler, DeliveryMessage, EventBus, SubscribeOptions } from './event-bus.js'
export { eventSchema, type EventOf, type EventType, type LoamEvent } from './events.js'
export { canonicalJson } from './canonical-json.js'
export { createCalmWarning, type CalmWarningOptions } from './calm-warning.js'
export { describeThrown } from './describe-thrown.js'
export { hideUrlSecrets, maskUrl } from './hide-url-secrets.js'
export { isModelMisconfigured } from './model-misconfigured.js'
export { createOutageLog, type OutageLog, type OutageLogOptions } from './outage-log.js'
export { generateId, type GenerateId } from './ids.js'
export { silentLogger, type LogFields, type Logger } from './logger.js'
export type {
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatResult,
  CompletionMessage,
  CompletionModel,
  CompletionRequest,
  CompletionResult,
  EmbeddingModel,
  EmbeddingTrust,
  ModelCallContext,
  ModelUsage,
} from './models.js'
export { MAX_JSON_DEPTH, isNestedDeeper } from './json-depth.js'
export { toInputIssues } from './plain-issues.js'
export {
  MAX_USER_ID_LENGTH,
  SHARED_USER_ID,
  isGroupUser,
  scopeSchema,
  userIdFault,
  type Scope,
} from './scope.js'
export type { AgentTool, ToolDefinition, ToolEffects } from './tools/agent-tool.js'
export { toldToCallers } from './tell-callers.js'
export { callTool, type ToolCallRequest, type ToolCallResult } from './tools/call-tool.js'
export { defineTool } from './tools/define-tool.js'
export {
  describeTools,
  toAiSdkTools,
  toAnthropicTools,
  toOpenAiTools,
  type AiSdkTool,
  type AnthropicTool,
  type OpenAiTool,
  type ToolDescription,
} from './tools/tool-formats.js'
export { isStorableText, toStorableJson, toStorableText } from './well-formed.js'
