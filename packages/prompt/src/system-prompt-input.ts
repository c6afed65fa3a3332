import type { PromptMode, PromptSessionKind } from './prompt-mode.js'

/** `seed`: the sections 1 to 15. `cache`: what is the same for every user and day first, then what varies. */
export const PROMPT_ORDERS = ['seed', 'cache'] as const
/** See `PROMPT_ORDERS`. */
export type PromptOrder = (typeof PROMPT_ORDERS)[number]

/** Whom the prompt speaks to. */
export interface AgentInput {
  readonly key: string
  /** Default: the key. */
  readonly displayName?: string | undefined
  readonly type: 'open' | 'predefined'
}

/** Where the conversation takes place. Untrusted: it comes from the chat platform. */
export interface ChannelInput {
  /** Such as `telegram`. */
  readonly platform?: string | undefined
  readonly chatId?: string | undefined
  readonly kind: 'direct' | 'group'
  /** Name of the group; not shown for a direct chat. */
  readonly title?: string | undefined
}

export interface UserInput {
  readonly id: string
  readonly displayName?: string | undefined
}

export interface TimeInput {
  readonly now: Date
  /** IANA name of the user's time zone. Default, and for a name that does not exist: UTC. */
  readonly timezone?: string | undefined
}

export interface ToolInput {
  readonly name: string
  /** Default "(custom tool)". Cut at 200 characters. */
  readonly description?: string | undefined
}

export interface SkillInput {
  readonly slug: string
  readonly name: string
  /** Cut at 200 characters. */
  readonly description: string
  /** Where its SKILL.md can be read. */
  readonly location?: string | undefined
  /** Its text, for a pinned skill that asks to be in the prompt as a whole. Give it cut to size. */
  readonly body?: string | undefined
}

export interface SkillsInput {
  /** Whether all skills are listed, or are to be searched for. */
  readonly mode: 'inline' | 'search'
  /** Listed in mode `inline`, by slug. Default none. */
  readonly available?: readonly SkillInput[] | undefined
  /** Listed in either mode, and in prompt mode `none`; the first 10. Default none. */
  readonly pinned?: readonly SkillInput[] | undefined
}

export interface WorkspaceInput {
  /** Folder of relative paths. Part of the stable half: use one that is the same for all users. */
  readonly path?: string | undefined
  readonly notes?: string | undefined
}

export interface SandboxInput {
  readonly notes?: string | undefined
}

export interface ContextFileInput {
  readonly name: string
  /** A blank file is left out. */
  readonly content: string
  /** Whether it is the same for all users of the agent, or a user's own. */
  readonly origin: 'agent' | 'user'
  readonly truncated?: boolean | undefined
}

/** A file that exists only in the prompt, such as TEAM.md. */
export interface VirtualFileInput {
  readonly name: string
  readonly content: string
}

export interface RecalledMemoryInput {
  readonly text: string
  /** Where it comes from, such as a path or a date. */
  readonly source?: string | undefined
}

export interface MessagingInput {
  readonly notes?: string | undefined
}

export interface RuntimeInput {
  readonly model?: string | undefined
  readonly version?: string | undefined
  readonly host?: string | undefined
}

/** What the operator or the model's provider adds or replaces (spec 2.3). Not fenced, since it is not data. */
export interface ContributionsInput {
  /** In cache order the end of the stable half; in seed order in front of section 1. */
  readonly stablePrefix?: string | undefined
  /** In cache order right behind the boundary; in seed order behind section 15. */
  readonly dynamicSuffix?: string | undefined
  /**
   * Text by section id, in place of the section's own where that would be shown. Chat data (1), the user's and virtual
   * files (11) stay. A blank text leaves the section out. Safety (3) cannot be replaced.
   */
  readonly overrides?: Readonly<Record<string, string>> | undefined
}

/** Everything that a system prompt is made from. Only `agent` is required. */
export interface SystemPromptInput {
  /** Default: `full`, or less where `sessionKind` caps it. */
  readonly mode?: PromptMode | undefined
  /** Default `seed`. */
  readonly order?: PromptOrder | undefined
  readonly agent: AgentInput
  readonly channel?: ChannelInput | undefined
  readonly user?: UserInput | undefined
  /** Ids of the users who own the agent. */
  readonly owners?: readonly string[] | undefined
  /** Without it the prompt holds no date. */
  readonly time?: TimeInput | undefined
  readonly tools?: readonly ToolInput[] | undefined
  readonly skills?: SkillsInput | undefined
  readonly workspace?: WorkspaceInput | undefined
  /** Given when tools run in a sandbox. */
  readonly sandbox?: SandboxInput | undefined
  readonly contextFiles?: readonly ContextFileInput[] | undefined
  /** Names of context files that this session does not have. */
  readonly unavailableFiles?: readonly string[] | undefined
  readonly virtualFiles?: readonly VirtualFileInput[] | undefined
  readonly memories?: readonly RecalledMemoryInput[] | undefined
  /** Such as a topic's instructions, or the text of an activated skill. */
  readonly extraPrompt?: string | undefined
  readonly sessionKind?: PromptSessionKind | undefined
  /** How replies reach the chat. Default true; false leaves the section out. */
  readonly messaging?: boolean | MessagingInput | undefined
  /** What the agent replies when there is nothing to say. Default `NO_REPLY`; false leaves the section out, where a reply is awaited. */
  readonly silentToken?: string | false | undefined
  /** Whether the agent can start subagents. Default false. */
  readonly canSpawn?: boolean | undefined
  readonly runtime?: RuntimeInput | undefined
  readonly sections?: ContributionsInput | undefined
}
