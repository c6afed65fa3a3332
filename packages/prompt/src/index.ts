export { buildSystemPrompt, type PromptSection, type SystemPrompt } from './build-system-prompt.js'
export { CACHE_BOUNDARY } from './cache-boundary.js'
export { assembleHistory, type AssembleHistoryOptions } from './history/assemble-history.js'
export type {
  AssembledMessage,
  HistoryMessage,
  HistoryPart,
  HistoryTextPart,
  HistoryToolCall,
} from './history/history-message.js'
export {
  PROMPT_MODES,
  resolvePromptMode,
  type PromptMode,
  type PromptModeRequest,
  type PromptSessionKind,
} from './prompt-mode.js'
export {
  toAnthropicSystem,
  toOpenAiMessages,
  type AnthropicSystemBlock,
  type OpenAiSystemMessage,
} from './provider-messages.js'
export { prose } from './safe-text.js'
export type {
  AgentInput,
  ChannelInput,
  ContextFileInput,
  ContributionsInput,
  MessagingInput,
  PromptOrder,
  RecalledMemoryInput,
  RuntimeInput,
  SandboxInput,
  SkillInput,
  SkillsInput,
  SystemPromptInput,
  TimeInput,
  ToolInput,
  UserInput,
  VirtualFileInput,
  WorkspaceInput,
} from './system-prompt-input.js'
