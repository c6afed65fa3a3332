import { renderCurrentDate } from './current-date.js'
import { hasExtraContext, renderExtraContext } from './extra-context.js'
import { needsFirstRunSection, renderFirstRun } from './first-run.js'
import { renderCurrentChat, renderIdentity } from './identity.js'
import { hasMemoryTools, renderMemoryRecall } from './memory-recall.js'
import { renderMessaging } from './messaging.js'
import {
  hasLeadingFiles,
  hasTrailingFiles,
  renderLeadingFiles,
  renderTrailingFiles,
} from './project-context.js'
import { hasRecalledMemories, renderRecalledMemories } from './recalled-memories.js'
import { renderRuntime } from './runtime.js'
import { renderSafety } from './safety.js'
import type { Section } from './section.js'
import { renderSilentReplies } from './silent-replies.js'
import { hasSkills, renderSkills } from './skills.js'
import { offersSpawning, renderSpawning } from './spawning.js'
import { renderTooling } from './tooling.js'
import { hasUserIdentity, renderUserIdentity } from './user-identity.js'
import { renderSandbox, renderWorkspace } from './workspace.js'

const ALL = ['full', 'task', 'minimal', 'none'] as const
const NOT_NONE = ['full', 'task', 'minimal'] as const

/**
 * All sections, in the seed's order. The seed decides on full and minimal, spec 2.2 on task and none. Rows with the half
 * `stable` may look at nothing that differs between users or days.
 */
// prettier-ignore
export const SECTION_TABLE: readonly Section[] = [
  { id: '1', title: 'Identity', half: 'stable', modes: ALL, overridable: true, render: renderIdentity },
  { id: '1', title: 'Current Chat', half: 'dynamic', modes: ALL, overridable: false, when: ({ input }) => input.channel !== undefined, render: renderCurrentChat },
  { id: '1.5', title: 'First Run', half: 'dynamic', modes: ALL, overridable: true, when: needsFirstRunSection, render: renderFirstRun },
  { id: '2', title: 'Tooling', half: 'stable', modes: ALL, overridable: true, render: renderTooling },
  { id: '3', title: 'Safety', half: 'stable', modes: ALL, overridable: false, render: renderSafety },
  { id: '4', title: 'Skills', half: 'stable', modes: ['full', 'task', 'none'], overridable: true, when: hasSkills, render: renderSkills },
  { id: '5', title: 'Memory Recall', half: 'stable', modes: ['full', 'task'], overridable: true, when: hasMemoryTools, render: renderMemoryRecall },
  { id: '5.5', title: 'Recalled Memories', half: 'dynamic', modes: ALL, overridable: true, when: hasRecalledMemories, render: renderRecalledMemories },
  { id: '6', title: 'Workspace', half: 'stable', modes: ALL, overridable: true, render: renderWorkspace },
  { id: '6.5', title: 'Sandbox', half: 'stable', modes: NOT_NONE, overridable: true, when: ({ input }) => input.sandbox !== undefined, render: renderSandbox },
  { id: '7', title: 'User Identity', half: 'dynamic', modes: ['full'], overridable: true, when: hasUserIdentity, render: renderUserIdentity },
  { id: '8', title: 'Current Date', half: 'dynamic', modes: NOT_NONE, overridable: true, when: ({ input }) => input.time !== undefined, render: renderCurrentDate },
  { id: '9', title: 'Messaging', half: 'stable', modes: ['full'], overridable: true, when: ({ input }) => input.messaging !== false, render: renderMessaging },
  { id: '10', title: 'Extra Context', half: 'dynamic', modes: ALL, overridable: true, when: hasExtraContext, render: renderExtraContext },
  { id: '11', title: 'Project Context', half: 'stable', modes: ALL, overridable: true, when: hasLeadingFiles, render: renderLeadingFiles },
  { id: '11', title: 'Project Context of This User', half: 'dynamic', modes: ALL, overridable: false, when: hasTrailingFiles, render: renderTrailingFiles },
  { id: '12', title: 'Silent Replies', half: 'stable', modes: ['full'], overridable: true, render: renderSilentReplies },
  { id: '14', title: 'Sub-Agent Spawning', half: 'stable', modes: ['full', 'minimal'], overridable: true, when: offersSpawning, render: renderSpawning },
  { id: '15', title: 'Runtime', half: 'dynamic', modes: ALL, overridable: true, render: renderRuntime },
]

/** The seed's numbers, in its order. */
export const SECTION_IDS: readonly string[] = [...new Set(SECTION_TABLE.map(({ id }) => id))]

/** Sections of which no part can be replaced. */
export const LOCKED_SECTION_IDS: readonly string[] = SECTION_IDS.filter((id) =>
  SECTION_TABLE.every((section) => section.id !== id || !section.overridable),
)
