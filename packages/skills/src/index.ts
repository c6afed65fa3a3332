export { checkVisibility } from './access/check-visibility.js'
export { explainSkillAccess } from './access/explain-skill-access.js'
export { selectAccessibleSkills } from './access/select-accessible-skills.js'
export {
  SKILL_ACCESS_REASONS,
  type SkillAccess,
  type SkillAccessReason,
  type SkillCaller,
  type SkillCandidate,
} from './access/skill-access.js'
export { ARCHIVE_LIMITS, type ArchiveLimits } from './archive/archive-limits.js'
export { checkCompanionPath, isIgnoredEntry } from './archive/companion-path.js'
export {
  readSkillArchive,
  type ArchivedSkill,
  type SkillArchive,
} from './archive/read-skill-archive.js'
export { scanSkillFiles, type ScanFinding } from './archive/scan-scripts.js'
export type { SkillFile } from './archive/skill-file.js'
export { hashSkillFiles } from './archive/tree-hash.js'
export { writeSkillArchive } from './archive/write-skill-archive.js'
export {
  createSkillCatalog,
  type SkillCatalog,
  type SkillCatalogOptions,
} from './catalog/create-skill-catalog.js'
export type { LoadedSkill } from './catalog/load-skill.js'
export { FORMAT_LIMITS, checkFormat } from './check-format.js'
export { scanDependencies, type SkillDependencies } from './dependencies/scan-dependencies.js'
export { flagField, listField } from './frontmatter/read-fields.js'
export type { SkillRequest, SkillSet } from './managed/accessible-skills.js'
export {
  createSkills,
  type ExplainedSkill,
  type Skills,
  type SkillsOptions,
} from './managed/create-skills.js'
export type { InstallRequest, InstalledSkill } from './managed/install-skills.js'
export type { SkillManagement } from './managed/manage-skills.js'
export { accessOf, type SkillPrincipal } from './managed/principal.js'
export type { CandidateSkill } from './managed/skill-set.js'
export { parseSkill } from './parse-skill.js'
export {
  PRESENTATION_LIMITS,
  planSkillPresentation,
  type PresentationOptions,
  type SkillPresentation,
} from './presentation/plan.js'
export { cutBody, renderSkillSummary, type ShownSkill } from './presentation/render-summary.js'
export {
  createSkillEmbeddings,
  type SimilarSkill,
  type SkillEmbeddings,
} from './search/skill-embeddings.js'
export { createSkillIndex, type SkillIndex } from './search/skill-index.js'
export {
  searchSkills,
  type SkillHit,
  type SkillSearchOptions,
  type SkillSearchRequest,
  type SkillSearchResult,
} from './search/search-skills.js'
export { noVectorStore, type KeptVector, type VectorStore } from './search/vector-store.js'
export { readSkillSettings, skillSettingsSchema, type SkillSettings } from './settings.js'
export {
  SKILL_SOURCES,
  SKILL_WARNING_CODES,
  type FolderSkill,
  type LocatedWarning,
  type ParsedSkill,
  type Skill,
  type SkillSource,
  type SkillSummary,
  type SkillWarning,
  type SkillWarningCode,
} from './skill.js'
export {
  applySlashCommand,
  type ApplyOptions,
  type ShownByCommand,
  type SlashEffect,
} from './slash/apply-slash-command.js'
export { resolveSlashCommand, type SlashCommand } from './slash/resolve-slash-command.js'
export { SLASH_SENTENCES, type SlashSentences } from './slash/slash-sentences.js'
export {
  SLASH_COMMAND_DEFAULTS,
  readSlashCommandSettings,
  slashSettingsFromConfigs,
  slashSettingsFromEnvironment,
  type SlashCommandSettings,
  type SlashSettingsLayer,
} from './slash/slash-settings.js'
export { createSkillTools } from './tools/skill-tools.js'
export { MAX_SLUG_LENGTH, RESERVED_SLUGS, isSlug, slugify } from './slug.js'
export { readSkillFolder, type FolderListing } from './tiers/read-skill-folder.js'
export { resolveTiers } from './tiers/resolve-tiers.js'
export type { SkillFolder, SkillFolderOptions } from './tiers/skill-folder.js'
export { BM25_DEFAULTS, createBm25Index, mergeHybrid, tokenize } from '@loam/text'
export { readSkillFiles, type SkillFolderFiles } from './tiers/read-skill-files.js'
