import type { AgentType } from '@loam/storage'
import type { ContextFileName } from '../file-names.js'
import { agentsTemplate } from './agents.js'
import { bootstrapOpenTemplate } from './bootstrap-open.js'
import { bootstrapPredefinedTemplate } from './bootstrap-predefined.js'
import { identityTemplate } from './identity.js'
import { soulTemplate } from './soul.js'
import { toolsTemplate } from './tools.js'
import { userPredefinedTemplate } from './user-predefined.js'
import { userTemplate } from './user.js'

/** The text that each file has until someone writes another; `BOOTSTRAP.md` as an open agent has it. */
export const templates: Readonly<Record<ContextFileName, string>> = {
  'AGENTS.md': agentsTemplate,
  'SOUL.md': soulTemplate,
  'TOOLS.md': toolsTemplate,
  'IDENTITY.md': identityTemplate,
  'USER.md': userTemplate,
  'BOOTSTRAP.md': bootstrapOpenTemplate,
  'USER_PREDEFINED.md': userPredefinedTemplate,
}

/** The template of a file for a type of agent; '' for a name that has none. */
export function templateOf(name: string, type: AgentType): string {
  if (name === 'BOOTSTRAP.md' && type === 'predefined') return bootstrapPredefinedTemplate
  return Object.hasOwn(templates, name) ? templates[name as ContextFileName] : ''
}
