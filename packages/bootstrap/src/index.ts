export { contextFilePath, type ContextFilePath } from './context-file-path.js'
export {
  createContextFiles,
  type ContextFiles,
  type ContextFilesOptions,
  type FilePlace,
  type MergedFile,
} from './create-context-files.js'
export {
  CONTEXT_FILE_NAMES,
  MAX_CONTEXT_FILE_BYTES,
  MEMORY_FILE_NAMES,
  SUMMONED_FILE_NAMES,
  TEMPLATE_FILE_NAMES,
  VIRTUAL_FILE_NAMES,
  checkContextFile,
  checkFileName,
  isContextFileName,
  isVirtualFileName,
  selectMemoryFile,
  type ContextFile,
  type ContextFileName,
  type MemoryFileName,
  type VirtualFileName,
} from './file-names.js'
export { deleteContextFile, type DeleteRequest } from './delete-context-file.js'
export {
  createContextFileTool,
  type ContextFileTool,
  type ToolRead,
  type ToolWrite,
} from './file-tool.js'
export type { GroupSender, MayEditGroup } from './group-gate.js'
export { fieldOf, withField } from './identity-fields.js'
export type { LoadRequest, LoadedContextFile, LoadedContextFiles } from './load-context-files.js'
export { mergeContextFiles } from './merge.js'
export {
  parseSummonOutput,
  type ParseSummonOptions,
  type SummonOutput,
  type SummonProblem,
} from './parse-summon-output.js'
export type { FileCheck } from './put-checked.js'
export { readContextFile, type ReadRequest } from './read-context-file.js'
export { seedAgentFiles } from './seed-agent-files.js'
export { seedUserFiles, type KnownUser, type SeedUserRequest } from './seed-user-files.js'
export { selectContextFiles, type SelectedFiles } from './select.js'
export {
  contextFileSettingsSchema,
  readContextFileSettings,
  type ContextFileSettings,
} from './settings.js'
export {
  SUMMON_CONSUMER,
  cancelSummon,
  checkTypeChange,
  startSummon,
  type SummonRequest,
} from './start-summon.js'
export { summonAgent, type SummonAgentOptions, type SummonJob } from './summon-agent.js'
export { regenerateMessages, summonMessages } from './summon-prompt.js'
export { templateOf, templates } from './templates/index.js'
export {
  truncateContextFiles,
  type TruncatedContextFile,
  type TruncationLimits,
} from './truncate.js'
export { isBlankProfile, prefilledProfile, type ProfileFacts } from './user-profile.js'
export {
  MAX_LISTED_TARGETS,
  renderAvailability,
  renderDelegation,
  renderTeam,
  virtualFilesFor,
  type DelegationTarget,
  type Team,
  type TeamMember,
  type VirtualFilesInput,
} from './virtual-files.js'
export { writeContextFile, type WriteRequest, type WriteResult } from './write-context-file.js'
