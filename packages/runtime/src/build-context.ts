import {
  virtualFilesFor,
  type ContextFiles,
  type DelegationTarget,
  type Team,
} from '@loam/bootstrap'
import type { Clock } from '@loam/core'
import {
  buildSystemPrompt,
  resolvePromptMode,
  type PromptMode,
  type SystemPrompt,
  type SystemPromptInput,
} from '@loam/prompt'
import type { Skills, SlashCommandSettings } from '@loam/skills'
import {
  sessionKindOf,
  type Agent,
  type Session,
  type SessionKind,
  type Storage,
} from '@loam/storage'

import { readPromptSettings } from './agent-settings.js'
import { prepareTurnSkills, readTurnSkillsState, type TurnSkills } from './turn-skills.js'

/** What is known of a turn before the model is asked. */
export interface ContextRequest {
  readonly tenantId: string
  readonly agent: Agent
  /** `''` is nobody in particular. */
  readonly userId: string
  /** The client's key of the session. A session that is not stored yet is judged by its key. */
  readonly sessionKey?: string | undefined
  /** What the user says; a slash command in it is done. */
  readonly message?: string | undefined
  /** Takes the place of the agent's list of skills for this turn; never reaches beyond what may be used. */
  readonly skillFilter?: readonly string[] | null | undefined
  /** Whether the filter takes away from the agent's list, and adds nothing to it. Default false. */
  readonly skillFilterNarrows?: boolean | undefined
  /** Names the turn, so that one which is asked for twice is counted once. Default: a new one each time. */
  readonly turnId?: string | undefined
  /** Default: the session's kind and the agent's settings decide. */
  readonly mode?: PromptMode | undefined
  /** What the channel knows of the conversation and of the user. */
  readonly channel?: ChannelFacts | undefined
  /** IANA time zone of the user. Default: the session's, else UTC. */
  readonly timezone?: string | undefined
  readonly team?: Team | undefined
  /** Agents that this one may hand work to, besides those that it is linked with. */
  readonly delegationTargets?: readonly DelegationTarget[] | undefined
  readonly tools?: SystemPromptInput['tools']
  readonly workspace?: SystemPromptInput['workspace']
  readonly sandbox?: SystemPromptInput['sandbox']
  readonly extraPrompt?: string | undefined
  readonly canSpawn?: boolean | undefined
  /** What the agent replies when there is nothing to say. Default `NO_REPLY`; false where a reply is awaited. */
  readonly silentToken?: string | false | undefined
  /** The model that will answer, for the prompt's last section. */
  readonly model?: string | undefined
  /** Shows what a turn would have, and changes nothing. Default false. */
  readonly preview?: boolean | undefined
}

/** What a channel knows of a conversation and of the user. */
export interface ChannelFacts {
  /** Such as `telegram`. Default: the session's channel. */
  readonly platform?: string | undefined
  readonly chatId?: string | undefined
  /** Default: as the session is. */
  readonly kind?: 'direct' | 'group' | undefined
  /** Name of the group. Default: the session's title. */
  readonly title?: string | undefined
  /** What the channel calls the user. */
  readonly userDisplayName?: string | undefined
  readonly language?: string | undefined
}

/** What a turn's model is given. */
export interface TurnContext extends SystemPrompt {
  /** What the user's turn is for the model: rewritten by a slash command, else the message as it was given. */
  readonly message: string | undefined
  readonly skills: TurnSkills
  /** Memories that were put into the prompt. */
  readonly injected: readonly never[]
  /** Whether the agent meets this user for the first time. */
  readonly firstRun: boolean
  /** A note for the model, to be appended to the conversation as a message of the user's role. */
  readonly nudge: string | undefined
  /** What a person should know, such as files that were cut. */
  readonly warnings: readonly string[]
}

/** What the prompt of a turn is built with. */
export interface ContextBuilderOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly contextFiles: Pick<ContextFiles, 'load'>
  readonly skills: Pick<Skills, 'accessible' | 'present' | 'load'>
  /** Settings of slash commands that the installation was started with. */
  readonly slashCommands: SlashCommandSettings
  readonly clock: Clock
  readonly generateId: () => string
}

/** Loads what an agent is to this user in this session, and builds the prompt from it. */
export async function buildContext(
  options: ContextBuilderOptions,
  request: ContextRequest,
): Promise<TurnContext> {
  const { storage, contextFiles, clock, generateId } = options
  const { tenantId, agent, userId, channel = {}, preview = false } = request
  const lookup = storage.transaction(
    { tenantId, userId },
    (stores) => {
      const { sessions, agentLinks } = stores
      const key = request.sessionKey
      return Promise.all([
        key === undefined ? undefined : sessions.findByKey(agent.id, key),
        agentLinks.list(agent.id),
        readTurnSkillsState(stores),
      ])
    },
    { readOnly: true },
  )
  const loading = contextFiles.load({
    tenantId,
    agent,
    userId,
    sessionKind: lookup.then(([session]) => kindOf(request, session)),
    turnId: request.turnId ?? generateId(),
    known: {
      displayName: channel.userDisplayName,
      timezone: request.timezone,
      language: channel.language,
    },
    preview,
  })
  const [[session, links], loaded, skills] = await Promise.all([
    lookup,
    loading,
    prepareTurnSkills(
      options,
      request,
      lookup.then(([, , state]) => state),
    ),
  ])
  const sessionKind = kindOf(request, session)
  const promptSettings = readPromptSettings(agent.settings)
  const delegationTargets = [
    ...links.map(({ target, description }) => ({
      name: target.displayName ?? target.key,
      description: description ?? target.description,
    })),
    ...(request.delegationTargets ?? []),
  ]
  const prompt = buildSystemPrompt({
    mode: resolvePromptMode({
      override: request.mode,
      sessionKind,
      agentMode: promptSettings.mode,
    }),
    order: 'cache',
    agent: { key: agent.key, displayName: agent.displayName, type: agent.type },
    channel: {
      platform: channel.platform ?? session?.channel,
      chatId: channel.chatId,
      kind: channel.kind ?? (sessionKind === 'group' ? 'group' : 'direct'),
      title: channel.title ?? session?.title,
    },
    user: userId === '' ? undefined : { id: userId, displayName: channel.userDisplayName },
    time: { now: clock.now(), timezone: request.timezone ?? session?.timezone },
    tools: request.tools,
    workspace: request.workspace,
    sandbox: request.sandbox,
    contextFiles: loaded.files,
    unavailableFiles: loaded.unavailable,
    virtualFiles: virtualFilesFor({
      agent: { name: agent.displayName ?? agent.key, expertise: agent.expertise },
      team: request.team,
      delegationTargets,
      unavailableFiles: loaded.unavailable,
      isFirstRun: loaded.isFirstRun,
    }),
    skills: toSkillsInput(skills),
    extraPrompt:
      [skills.extraPrompt, request.extraPrompt].filter(Boolean).join('\n\n') || undefined,
    sessionKind,
    canSpawn: request.canSpawn,
    silentToken: request.silentToken,
    runtime: { model: request.model },
  })
  return {
    ...prompt,
    message: skills.message,
    skills,
    injected: [],
    firstRun: loaded.isFirstRun,
    nudge: loaded.nudge,
    warnings: [...promptSettings.warnings, ...loaded.warnings, ...skills.warnings],
  }
}

function toSkillsInput({ presentation, bodies }: TurnSkills): SystemPromptInput['skills'] {
  const { mode, listed, pinned } = presentation
  if (mode === 'none') return undefined
  const withBody = pinned.map((skill) => ({ ...skill, body: bodies.get(skill.slug) }))
  return { mode, available: listed, pinned: withBody }
}

function kindOf(
  { sessionKey = '', userId, channel }: ContextRequest,
  session: Session | undefined,
): SessionKind {
  if (session) return session.kind
  const kind = sessionKindOf(sessionKey, userId)
  return kind === 'direct' && channel?.kind === 'group' ? 'group' : kind
}
