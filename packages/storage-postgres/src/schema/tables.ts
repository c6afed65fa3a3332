import { agentLinks } from './agent-links.js'
import { agentUsers } from './agent-users.js'
import { agents } from './agents.js'
import { apiKeys } from './api-keys.js'
import { chunkGroups } from './chunk-groups.js'
import { chunkVectors } from './chunk-vectors.js'
import { chunks } from './chunks.js'
import { contextFileVersions } from './context-file-versions.js'
import { contextFiles } from './context-files.js'
import { deliveries } from './deliveries.js'
import { documents } from './documents.js'
import { embeddingSpaces } from './embedding-spaces.js'
import { episodes } from './episodes.js'
import { erasures } from './erasures.js'
import { events } from './events.js'
import { messages } from './messages.js'
import { modelCalls } from './model-calls.js'
import { modelUsage } from './model-usage.js'
import { postings } from './postings.js'
import { runs } from './runs.js'
import { scopes } from './scopes.js'
import { sessions } from './sessions.js'
import { skillAgentGrants } from './skill-agent-grants.js'
import { skillAudit } from './skill-audit.js'
import { skillFiles } from './skill-files.js'
import { skillRevisions } from './skill-revisions.js'
import { skillSwitches } from './skill-switches.js'
import { skillUserGrants } from './skill-user-grants.js'
import { skillVectors } from './skill-vectors.js'
import { skillVersions } from './skill-versions.js'
import { skills } from './skills.js'
import { summons } from './summons.js'
import { systemConfigs } from './system-configs.js'
import { tenants } from './tenants.js'

/** Every table, as the migrations leave it. */
export const tables = [
  agentLinks,
  agentUsers,
  agents,
  apiKeys,
  chunkGroups,
  chunkVectors,
  chunks,
  contextFileVersions,
  contextFiles,
  deliveries,
  documents,
  embeddingSpaces,
  episodes,
  erasures,
  events,
  messages,
  modelCalls,
  modelUsage,
  postings,
  runs,
  scopes,
  sessions,
  skillAgentGrants,
  skillAudit,
  skillFiles,
  skillRevisions,
  skillSwitches,
  skillUserGrants,
  skillVectors,
  skillVersions,
  skills,
  summons,
  systemConfigs,
  tenants,
] as const
