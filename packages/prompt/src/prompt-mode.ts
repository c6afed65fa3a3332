import { InvalidInputError } from '@loam/core'

/** How much of the prompt is built, most first (spec 2.1). */
export const PROMPT_MODES = ['full', 'task', 'minimal', 'none'] as const
/** See `PROMPT_MODES`. */
export type PromptMode = (typeof PROMPT_MODES)[number]

/** What kind of session the prompt is for. */
export const PROMPT_SESSION_KINDS = [
  'direct',
  'group',
  'subagent',
  'cron',
  'heartbeat',
  'team',
] as const
/** See `PROMPT_SESSION_KINDS`. */
export type PromptSessionKind = (typeof PROMPT_SESSION_KINDS)[number]

/** The most that a session of a kind gets. Spec 2.1 has `task` for subagent and cron; decision c follows the seed. */
const MODE_CAPS: Readonly<Record<PromptSessionKind, PromptMode>> = {
  direct: 'full',
  group: 'full',
  team: 'full',
  subagent: 'minimal',
  cron: 'minimal',
  heartbeat: 'minimal',
}

const RANKS: Readonly<Record<PromptMode, number>> = { full: 3, task: 2, minimal: 1, none: 0 }

/** What `resolvePromptMode` decides by. */
export interface PromptModeRequest {
  /** The caller's wish for this run; always wins. Default none. */
  readonly override?: PromptMode | undefined
  /** Caps the agent's mode: subagent, cron and heartbeat get at most `minimal`. Default no cap. */
  readonly sessionKind?: PromptSessionKind | undefined
  /** The mode in the agent's configuration. Default `full`. */
  readonly agentMode?: PromptMode | undefined
}

/**
 * Which mode a prompt is built in: the override, else the lower of the agent's mode and the cap of the session's kind
 * (spec 2.1, decision c).
 *
 * @throws InvalidInputError for a mode or kind that does not exist; it is never taken for `full`.
 * @example
 * resolvePromptMode({ sessionKind: 'cron', agentMode: 'full' }) // 'minimal'
 */
export function resolvePromptMode(request: PromptModeRequest = {}): PromptMode {
  const { override, sessionKind, agentMode = 'full' } = request
  oneOf('override', override, PROMPT_MODES)
  oneOf('agentMode', agentMode, PROMPT_MODES)
  oneOf('sessionKind', sessionKind, PROMPT_SESSION_KINDS)
  if (override !== undefined) return override
  const cap = MODE_CAPS[sessionKind ?? 'direct']
  return RANKS[agentMode] < RANKS[cap] ? agentMode : cap
}

function oneOf(path: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return
  const message = `"${value}" is not one of ${known.join(', ')}.`
  throw new InvalidInputError({ message: `${path}: ${message}`, issues: [{ path, message }] })
}
