import {
  ConfigurationError,
  ConflictError,
  type AbortableOptions,
  type AgentTool,
  type CompletionModel,
  type CompletionMessage,
  type GenerateId,
  type Logger,
  type Scope,
} from '@loam/core'
import type { Memory, MessageInput } from '@loam/memory'
import { toOpenAiMessages } from '@loam/prompt'
import { begun, type Storage, type ToolCall } from '@loam/storage'
import type { AgentToolsRequest } from '../agent-tools.js'
import type { ContextRequest, TurnContext } from '../build-context.js'
import type { RunReport } from '../runtime.js'
import { answerWithTools, type ToolLoopResult } from './answer-with-tools.js'
import type { ChatTurnRequest, ChatTurnResult } from './chat-turn.js'
import { answerId, notStoredYet, readEarlierTurns } from './earlier-turns.js'
import { fitToStore } from './fit-to-store.js'
import { divideMessages, spokenText, toStored } from './new-messages.js'
import { describeTool } from './client-tools.js'

/** What turns are answered with. */
export interface ChatOptions {
  readonly storage: Pick<Storage, 'transaction' | 'lastErasure'>
  readonly memory: Pick<Memory, 'storeMessages'>
  readonly completion: CompletionModel | undefined
  readonly buildContext: (request: ContextRequest) => Promise<TurnContext>
  readonly createTools: (request: AgentToolsRequest) => readonly AgentTool[]
  readonly reportRun: (scope: Scope, sessionKey: string, report: RunReport) => Promise<unknown>
  readonly generateId: GenerateId
  readonly logger: Logger
}

/** See `Runtime.chat`. */
export type Chat = (
  request: ChatTurnRequest,
  hooks?: AbortableOptions & { readonly onText?: ((text: string) => void) | undefined },
) => Promise<ChatTurnResult>

/**
 * Makes what answers turns with the agent's memory, skills and files. What the user said is stored before the model is asked, so
 * it is never lost; the answer is stored when it is complete. A turn that is named and was answered is answered from the store.
 */
export function createChat(options: ChatOptions): Chat {
  const { storage, memory, completion, logger } = options
  /** Named turns that are being answered here. */
  const answering = new Set<string>()

  return async (request, hooks = {}) => {
    if (completion === undefined) throw noModel()
    if (request.turnId === undefined) return await answer(completion, request, hooks)
    const { tenantId, agent, sessionKey, turnId } = request
    const name = JSON.stringify([tenantId, agent.id, sessionKey, turnId])
    if (answering.has(name)) throw stillAnswering(turnId)
    answering.add(name)
    try {
      return await answer(completion, request, hooks)
    } finally {
      answering.delete(name)
    }
  }

  async function answer(
    model: CompletionModel,
    request: ChatTurnRequest,
    { signal, onText }: NonNullable<Parameters<Chat>[1]>,
  ): Promise<ChatTurnResult> {
    const { tenantId, agent, userId, sessionKey, tools = [], parameters = {} } = request
    const scope = begun({ tenantId, agentId: agent.id, userId }, storage)
    const turnId = request.turnId ?? options.generateId()
    const { instructions, conversation, fresh } = divideMessages(request.messages)
    const spoken = spokenText(fresh)
    const said = fresh.map((message, index) => toStored(message, `${turnId}/said/${index}`))
    /** What the model is shown, and need not find. */
    const shown = new Set(said.map(({ id }) => id))
    const own = options.createTools({
      tenantId,
      agent,
      userId,
      sinceErasure: scope.sinceErasure,
      leaveOut: ({ session, messageId }) => session === sessionKey && shown.has(messageId),
    })
    const build = () =>
      options.buildContext({
        tenantId,
        agent,
        userId,
        sessionKey,
        turnId,
        message: spoken,
        // Results of the client's tools go on with a turn that was counted when it began.
        preview: spoken === undefined,
        tools: [...own, ...tools.map(describeTool)].map(({ name, description }) => ({
          name,
          description,
        })),
        extraPrompt: instructions === '' ? undefined : instructions,
        model: model.model,
      })
    // A turn that is named may have been answered before, and is not counted again then. Another need not wait to know.
    const early = request.turnId === undefined ? build() : undefined
    early?.catch(() => {})
    const earlier = await readEarlierTurns(storage, scope, sessionKey, request.turnId)
    if (earlier.answer !== undefined) {
      onText?.(earlier.answer.text)
      return earlier.answer
    }
    const unstored = notStoredYet(said, earlier.unanswered)
    for (const { id } of earlier.unanswered) shown.add(id)
    // A session that is deleted meanwhile is not made anew.
    const named = { key: sessionKey, id: earlier.sessionId }
    const storing = unstored.length === 0 ? undefined : memory.storeMessages(scope, named, unstored)
    // Whatever becomes of the prompt, what was said is stored first.
    const [stored, context] = await Promise.allSettled([storing, early ?? build()])
    if (stored.status === 'rejected') throw stored.reason
    try {
      if (context.status === 'rejected') throw context.reason
      const built = context.value
      const asked = {
        messages: [
          ...toOpenAiMessages(built).map((message) => ({ ...message })),
          ...withTurnMessage(conversation, built),
        ],
        own,
        foreign: tools,
        parameters,
      }
      const call = { scope, task: 'chat', runId: turnId, signal, onText } as const
      const answered = await answerWithTools(model, asked, call, logger)
      const session = { ...named, id: stored.value?.session.id ?? named.id }
      const fitting = fitToStore(answerMessages(turnId, answered))
      await memory.storeMessages(scope, session, fitting.messages)
      const { text, toolCalls, finishReason, usage } = answered
      // With a call of the client's the turn goes on: its results come with the next request.
      if (toolCalls.length === 0) {
        await options.reportRun(scope, sessionKey, { runId: turnId, status: 'completed', usage })
      }
      const warnings = [...built.warnings, ...answered.warnings, ...fitting.warnings]
      return { text, toolCalls, finishReason, usage, warnings }
    } catch (error) {
      // Under another id, since the turn may be tried again, and its report must count then.
      const runId = `${turnId}/${options.generateId()}`
      const status = signal?.aborted ? 'cancelled' : 'failed'
      await options
        .reportRun(scope, sessionKey, { runId, status })
        .catch((failure: unknown) => logger.warn('chat.run-not-reported', { error: failure }))
      throw error
    }
  }
}

/** A slash command has other words for the model than the user typed; a note of Loam's comes after them. */
function withTurnMessage(
  conversation: readonly CompletionMessage[],
  { message, skills, nudge }: TurnContext,
): readonly CompletionMessage[] {
  const last = conversation.findLastIndex(({ role }) => role === 'user')
  const rewritten =
    skills.command.kind === 'none' || message === undefined
      ? conversation
      : conversation.map((each, index) => (index === last ? { ...each, content: message } : each))
  const isSpoken = conversation.at(-1)?.role === 'user'
  return nudge && isSpoken ? [...rewritten, { role: 'user', content: nudge }] : rewritten
}

/**
 * The answer, and the calls of Loam's own tools before it. Their results are injected: what is remembered already is not learned
 * again. What the model said between calls is part of the answer, so a call is stored without it.
 */
function answerMessages(
  turnId: string,
  { steps, text, toolCalls }: ToolLoopResult,
): readonly MessageInput[] {
  const done = steps.map((message, index): MessageInput => {
    const stored = toStored(message, `${turnId}/step/${index}`)
    const calls = (message as { readonly tool_calls?: readonly RawCall[] }).tool_calls
    return calls === undefined
      ? { ...stored, origin: 'injected' }
      : { ...stored, origin: 'injected', content: null, toolCalls: calls.map(toCall) }
  })
  const answer: MessageInput = {
    id: answerId(turnId),
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && { toolCalls: [...toolCalls] }),
  }
  return [...done, answer]
}

interface RawCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

function toCall({ id, function: { name, arguments: given } }: RawCall): ToolCall {
  return { id, name, arguments: given }
}

function noModel(): ConfigurationError {
  const message = 'Set LOAM_MODEL_BASE_URL and LOAM_CHAT_MODEL to the model that answers'
  return new ConfigurationError({
    message: `No chat model is configured. ${message}, and restart the server.`,
    issues: [{ path: 'LOAM_CHAT_MODEL', message }],
  })
}

function stillAnswering(turnId: string): ConflictError {
  return new ConflictError({
    message: `A request with the idempotency key "${turnId}" is still being answered. Ask again when it has ended: it is answered once, and told to both.`,
  })
}
