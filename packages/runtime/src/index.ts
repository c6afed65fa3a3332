export { checkAgentSettings } from './agent-settings.js'
export { OWN_KEY_NAMES, generateSecret, hashSecret, unknownKey } from './api-key.js'
export type { AgentToolsRequest } from './agent-tools.js'
export type { ChannelFacts, ContextRequest, TurnContext } from './build-context.js'
export type { ChatTurnRequest, ChatTurnResult } from './chat/chat-turn.js'
export type { LoamConfig } from './config.js'
export type { AgentInput, Agents, SummonInput } from './create-agents.js'
export { createRuntime, type RuntimeOverrides } from './create-runtime.js'
export { createDeliveryHandler, type DeliveryHandlerOptions } from './delivery-handler.js'
export {
  NO_QUEUE,
  describeJobs,
  describeQueue,
  describeStore,
  storeFolder,
} from './describe-config.js'
export { checkQueue } from './health.js'
export { createInlineBus, type InlineBusOptions } from './inline-bus.js'
export { CONFIG_VARIABLES, isEmbedded, loadConfig, type LoadConfigOptions } from './load-config.js'
export { createRelay, type Relay, type RelayOptions } from './relay.js'
export { requireServer } from './require-server.js'
export { SYSTEM_CONFIGS, checkConfig, checkConfigKey } from './system-configs.js'
export { skillRequestOf, type TurnSkills, type TurnSkillsRequest } from './turn-skills.js'
export type { UserMemory } from './user-memory.js'
export type { HealthCheck, RunReport, Runtime, RuntimeStatus } from './runtime.js'
