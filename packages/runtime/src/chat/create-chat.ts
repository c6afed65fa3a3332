import {
  ConfigurationError,
  ConflictError,
  ModelError,
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
import { checkClientTools, describeTool } from './client-tools.js'
import {
  answerId,
  notStoredYet,
  readEarlierTurns,
  saidId,
  stepId,
  toCompletionMessage,
  withSteps,
  type NamedTurn,
} from './earlier-turns.js'
import { fitToStore } from './fit-to-store.js'
import { divideMessages, spokenText, toStored, type DividedMessages } from './new-messages.js'
import { fingerprintOf, toMetadata, type TurnRecord } from './turn-record.js'
import { createTurnsInHand } from './turns-in-hand.js'

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
 * it is never lost; what is done on the way is stored when it is done, and the answer when it is complete. A turn that is named
 * and was answered is answered from the store.
 */
export function createChat(options: ChatOptions): Chat {
  const { storage, memory, completion, logger } = options
  const inHand = createTurnsInHand()

  return async (request, hooks = {}) => {
    if (completion === undefined) throw noModel()
    const { tenantId, agent, userId, sessionKey, turnId } = request
    const divided = divideMessages(request.messages)
    const said = fingerprintOf(divided.fresh)
    const conversation = [tenantId, agent.id, userId, sessionKey]
    return await inHand.hold(
      { conversation, turnId, said },
      () => answer(completion, request, { ...divided, said }, hooks),
      hooks,
    )
  }

  async function answer(
    model: CompletionModel,
    request: ChatTurnRequest,
    { instructions, conversation, fresh, said }: DividedMessages & { readonly said: string },
    { signal, onText }: NonNullable<Parameters<Chat>[1]>,
  ): Promise<ChatTurnResult> {
    const { tenantId, agent, userId, sessionKey, tools = [], parameters = {} } = request
    const scope = begun({ tenantId, agentId: agent.id, userId }, storage)
    const turnId = request.turnId ?? options.generateId()
    const named = request.turnId === undefined ? undefined : { turnId, said }
    const words = fresh.map((message, index): MessageInput => {
      const fromLast = fresh.length - 1 - index
      const stored = toStored(message, saidId(turnId, fromLast))
      return fromLast === 0 && named ? { ...stored, metadata: toMetadata({ said }) } : stored
    })
    /** What the model is shown, and need not find. */
    const shown = new Set(words.map(({ id }) => id))
    const own = options.createTools({
      tenantId,
      agent,
      userId,
      sinceErasure: scope.sinceErasure,
      leaveOut: ({ session, messageId }) => session === sessionKey && shown.has(messageId),
    })
    checkClientTools(
      tools,
      own.map(({ name }) => name),
    )
    const spoken = spokenText(fresh)
    const build = () => {
      return options.buildContext({
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
        silentToken: false,
        model: model.model,
      })
    }
    // A turn that is named may have been answered before, and is not counted again then. Another need not wait to know.
    const early = named === undefined ? build() : undefined
    early?.catch(() => {})
    const earlier = await readEarlierTurns(storage, scope, sessionKey, {
      named,
      goesOn: spoken === undefined,
    })
    if (earlier.answer !== undefined) {
      onText?.(earlier.answer.text)
      return earlier.answer
    }
    const unstored = notStoredYet(words, earlier)
    // What is said again goes on from where its first attempt failed, so that what its tools wrote is not written again.
    const taken = unstored.length === 0 ? earlier.steps : []
    for (const { id } of [...earlier.unanswered, ...taken]) shown.add(id)
    const begunWith = { key: sessionKey, id: earlier.sessionId }
    const storing =
      unstored.length === 0 ? undefined : memory.storeMessages(scope, begunWith, unstored)
    // Whatever becomes of the prompt, what was said is stored first.
    const [stored, context] = await Promise.allSettled([storing, early ?? build()])
    if (stored.status === 'rejected') throw stored.reason
    // A session that is deleted meanwhile is not made anew.
    const session = { key: sessionKey, id: stored.value?.session.id ?? earlier.sessionId }
    const cuts = new Set<string>()
    const store = async (messages: readonly MessageInput[]) => {
      const fitting = fitToStore(messages)
      for (const warning of fitting.warnings) cuts.add(warning)
      await memory.storeMessages(scope, session, fitting.messages)
    }
    const attempt = options.generateId()
    let stepCount = 0
    let isTold = false
    try {
      if (context.status === 'rejected') throw context.reason
      const built = context.value
      const asked = {
        messages: [
          ...toOpenAiMessages(built).map((message) => ({ ...message })),
          ...withTurnMessage(withSteps(conversation, earlier), built),
        ],
        own,
        foreign: tools,
        parameters,
      }
      const call = {
        scope,
        task: 'chat',
        runId: turnId,
        signal,
        onText:
          onText &&
          ((text: string) => {
            isTold = true
            onText(text)
          }),
        async onStep(messages: readonly CompletionMessage[]) {
          await store(messages.map((message) => toStep(message, turnId, attempt, stepCount++)))
        },
      } as const
      const answered = await answerWithTools(
        model,
        { ...asked, taken: taken.map(toCompletionMessage) },
        call,
        logger,
      ).catch((error: unknown) => {
        // What the first attempt did may be why the model refuses, and would then be for ever.
        const mayStartAfresh = taken.length > 0 && stepCount === 0 && !isTold && isRefusal(error)
        if (!mayStartAfresh) throw error
        return answerWithTools(model, asked, call, logger)
      })
      const { text, toolCalls, finishReason, usage } = answered
      const warnings = () => [...built.warnings, ...answered.warnings, ...cuts]
      try {
        await store([answerMessage(turnId, answered, named && { said, finishReason, usage })])
      } catch (error) {
        const first = await answeredMeanwhile(error, scope, sessionKey, named)
        if (first === undefined) throw error
        // What is told cannot be taken back.
        return isTold && first.text !== text
          ? { text, toolCalls, finishReason, usage, warnings: [...warnings(), ANSWERED_TWICE] }
          : first
      }
      // With a call of the client's the turn goes on: its results come with the next request.
      if (toolCalls.length === 0) {
        await options.reportRun(scope, sessionKey, { runId: turnId, status: 'completed', usage })
      }
      return { text, toolCalls, finishReason, usage, warnings: warnings() }
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

  /** The answer that another process gave to the same turn while this one gave another. */
  async function answeredMeanwhile(
    error: unknown,
    scope: Scope,
    sessionKey: string,
    named: NamedTurn | undefined,
  ): Promise<ChatTurnResult | undefined> {
    if (named === undefined || !ConflictError.isInstance(error)) return undefined
    const { answer: first } = await readEarlierTurns(storage, scope, sessionKey, {
      named,
      goesOn: false,
    })
    return first
  }
}

const ANSWERED_TWICE =
  'Another request with this idempotency key was answered at the same moment, and its answer is the one that is stored.'

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
 * A call of Loam's own tools, or a result of one. It is injected: what is remembered already is not learned again. What the
 * model said between calls is part of the answer, so a call is stored without it.
 */
function toStep(
  message: CompletionMessage,
  turnId: string,
  attempt: string,
  index: number,
): MessageInput {
  const stored = toStored(message, stepId(turnId, attempt, index))
  const calls = (message as { readonly tool_calls?: readonly RawCall[] }).tool_calls
  return calls === undefined
    ? { ...stored, origin: 'injected' }
    : { ...stored, origin: 'injected', content: null, toolCalls: calls.map(toCall) }
}

interface RawCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

function toCall({ id, function: { name, arguments: given } }: RawCall): ToolCall {
  return { id, name, arguments: given }
}

function answerMessage(
  turnId: string,
  { text, toolCalls }: ToolLoopResult,
  record: TurnRecord | undefined,
): MessageInput {
  return {
    id: answerId(turnId),
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && { toolCalls: [...toolCalls] }),
    ...(record && { metadata: toMetadata(record) }),
  }
}

/** Whether a model does not take what it was asked, and would not take it again. */
function isRefusal(error: unknown): boolean {
  return (
    ModelError.isInstance(error) && (error.reason === 'refused' || error.reason === 'too_large')
  )
}

function noModel(): ConfigurationError {
  const message = 'Set LOAM_MODEL_BASE_URL and LOAM_CHAT_MODEL to the model that answers'
  return new ConfigurationError({
    message: `No chat model is configured. ${message}, and restart the server.`,
    issues: [{ path: 'LOAM_CHAT_MODEL', message }],
  })
}
