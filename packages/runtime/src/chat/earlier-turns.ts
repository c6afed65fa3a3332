import { ConflictError, canonicalJson, type CompletionMessage, type Scope } from '@loam/core'
import type { MessageInput } from '@loam/memory'
import type { Message, MessageStore, Storage } from '@loam/storage'
import type { ChatTurnResult } from './chat-turn.js'
import { callIds } from './check-conversation.js'
import { readTurnRecord } from './turn-record.js'

/** How far back is looked for what was not answered: an answer is nearly always near, but an attempt may have left many steps behind. */
const FIRST_PAGE_LENGTH = 10
const PAGE_LENGTH = 200
const MAX_TAIL_LENGTH = 1_000

/** What is stored of a session before a turn begins. */
export interface EarlierTurns {
  /** The session, if there is one yet. */
  readonly sessionId: string | undefined
  /** The answer to this very turn, when it was sent before. */
  readonly answer: ChatTurnResult | undefined
  /** Whether what this very turn says is stored, since it was sent before. */
  readonly isSaid: boolean
  /** What was said since the last answer: turns that failed, or were cancelled. */
  readonly unanswered: readonly Message[]
  /** What the attempt at this turn, or at what was said last, did with Loam's tools before it failed. */
  readonly steps: readonly Message[]
  /** The answers of a turn that goes on: which tools of the client's they called, and what Loam's tools did before. */
  readonly calls: readonly {
    readonly ids: readonly string[]
    readonly steps: readonly Message[]
  }[]
}

/** What is said, as far as it decides how far back the store is read. */
export interface WhatIsSaid {
  readonly named: NamedTurn | undefined
  /** Whether it only brings results of the client's tools, so that a turn goes on. */
  readonly goesOn: boolean
}

/** A turn that its client gave a name. */
export interface NamedTurn {
  readonly turnId: string
  /** Fingerprint of what it says. */
  readonly said: string
}

/** The id under which the answer to a turn is stored. */
export function answerId(turnId: string): string {
  return `${turnId}/answer`
}

/**
 * The id under which a message of what is said is stored. Counted from the last one, which is stored whatever of those before it
 * an earlier turn has said already.
 */
export function saidId(turnId: string, fromLast: number): string {
  return `${turnId}/said/${fromLast}`
}

/** The id of a message of what is done on the way to an answer. Each attempt has ids of its own, so that two never collide. */
export function stepId(turnId: string, attempt: string, index: number): string {
  return `${turnId}/${attempt}/step/${index}`
}

/**
 * Reads what a turn has to know of those before it.
 *
 * @throws ConflictError when a turn of this name said something else.
 */
export function readEarlierTurns(
  storage: Pick<Storage, 'transaction'>,
  { tenantId, agentId, userId }: Scope,
  sessionKey: string,
  { named, goesOn }: WhatIsSaid,
): Promise<EarlierTurns> {
  return storage.transaction(
    { tenantId, userId },
    async ({ sessions, messages }) => {
      const session = await sessions.findByKey(agentId, sessionKey)
      if (session === undefined) {
        return NOTHING_EARLIER
      }
      const [before, recent] = await Promise.all([
        named && findTurn(messages, session.id, named),
        readBack(messages, session.id, goesOn ? isQuestion : isAnswer),
      ])
      const tail = recent.slice(recent.findLastIndex(isAnswer) + 1)
      const lastSaid = tail.findLastIndex(isSpoken)
      const isSaid = before?.said !== undefined
      // What others did after it is none of a turn that said its own before them.
      const isLast = !isSaid || before.said?.id === tail[lastSaid]?.id
      return {
        sessionId: session.id,
        answer: before?.answer && toResult(before.answer),
        isSaid,
        unanswered: tail.filter(isSpoken),
        steps: wholeSteps(
          tail.filter(
            (message, index) =>
              isStep(message) &&
              ((isLast && index > lastSaid) || (named && turnOfStep(message) === named.turnId)),
          ),
        ),
        calls: goesOn ? callsWithSteps(recent) : [],
      }
    },
    { readOnly: true },
  )
}

const NOTHING_EARLIER: EarlierTurns = {
  sessionId: undefined,
  answer: undefined,
  isSaid: false,
  unanswered: [],
  steps: [],
  calls: [],
}

/** The messages from the last one on that is such a one, in order. */
async function readBack(
  messages: MessageStore,
  sessionId: string,
  isSuch: (message: Message) => boolean,
): Promise<readonly Message[]> {
  const tail: Message[] = []
  let cursor: string | undefined
  do {
    const limit = cursor === undefined ? FIRST_PAGE_LENGTH : PAGE_LENGTH
    const { items, nextCursor } = await messages.list(sessionId, {
      limit,
      cursor,
      newestFirst: true,
    })
    const last = items.findIndex(isSuch)
    tail.push(...(last === -1 ? items : items.slice(0, last + 1)))
    cursor = last === -1 ? nextCursor : undefined
  } while (cursor !== undefined && tail.length < MAX_TAIL_LENGTH)
  return tail.toReversed()
}

/**
 * The messages that are not stored yet. A client that got no answer sends what was said again, alone or before what it says
 * next; so its messages may begin with those at the end of the store.
 */
export function notStoredYet(
  messages: readonly MessageInput[],
  { isSaid, unanswered }: EarlierTurns,
): readonly MessageInput[] {
  if (isSaid) return []
  const longest = Math.min(messages.length, unanswered.length)
  for (let length = longest; length > 0; length -= 1) {
    const end = unanswered.slice(-length)
    if (end.every((message, index) => saysTheSame(message, messages[index]))) {
      return messages.slice(length)
    }
  }
  return messages
}

/** The conversation as the client has it, with the steps that it does not know of. */
export function withSteps(
  conversation: readonly CompletionMessage[],
  { calls }: EarlierTurns,
): readonly CompletionMessage[] {
  const left = [...calls]
  return conversation
    .toReversed()
    .flatMap((message) => {
      const ids = callIds(message)
      if (ids.length === 0 || ids.join() !== left.at(-1)?.ids.join()) return [message]
      const steps = left.pop()?.steps.map(toCompletionMessage) ?? []
      return [message, ...steps.toReversed()]
    })
    .toReversed()
}

/** A stored step as the model is shown it. */
export function toCompletionMessage({
  role,
  content,
  toolCalls,
  toolCallId,
}: Message): CompletionMessage {
  if (role === 'tool') return { role, tool_call_id: toolCallId, content }
  const calls = toolCalls?.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  return { role, content, ...(calls && { tool_calls: calls }) }
}

function isSpoken({ origin }: Message): boolean {
  return origin === 'conversation'
}

function isAnswer(message: Message): boolean {
  return message.role === 'assistant' && isSpoken(message)
}

function isQuestion(message: Message): boolean {
  return message.role === 'user' && isSpoken(message)
}

function callsWithSteps(recent: readonly Message[]): EarlierTurns['calls'] {
  const calls: { readonly ids: readonly string[]; readonly steps: readonly Message[] }[] = []
  let steps: Message[] = []
  for (const message of recent) {
    if (isStep(message)) steps.push(message)
    if (!isAnswer(message)) continue
    const ids = (message.toolCalls ?? []).map(({ id }) => id)
    calls.push({ ids, steps: wholeSteps(steps) })
    steps = []
  }
  return calls
}

/** Calls with all their results: what was forgotten leaves the other half behind, which no model takes. */
function wholeSteps(messages: readonly Message[]): readonly Message[] {
  const steps: Message[][] = []
  for (const message of messages) {
    if (message.role === 'tool') steps.at(-1)?.push(message)
    else steps.push([message])
  }
  return steps
    .filter(([call, ...results]) =>
      call?.toolCalls?.every(({ id }) => results.some(({ toolCallId }) => toolCallId === id)),
    )
    .flat()
}

function isStep({ id, origin }: Message): boolean {
  return origin === 'injected' && STEP_ID.test(id)
}

/** The turn that took a step; see `stepId`. */
function turnOfStep({ id }: Message): string {
  return id.replace(STEP_ID, '')
}

const STEP_ID = /\/[^/]+\/step\/\d+$/

/** Both are as they are stored, save for the order of keys, which the store does not keep. */
function saysTheSame(stored: Message, given: MessageInput | undefined): boolean {
  return (
    given !== undefined &&
    stored.role === given.role &&
    stored.name === given.name &&
    stored.toolCallId === given.toolCallId &&
    canonicalJson(stored.content) === canonicalJson(given.content)
  )
}

async function findTurn(messages: MessageStore, sessionId: string, { turnId, said }: NamedTurn) {
  const [answer, lastSaid] = await Promise.all([
    messages.find(sessionId, answerId(turnId)),
    messages.find(sessionId, saidId(turnId, 0)),
  ])
  for (const message of [answer, lastSaid]) {
    const record = message && readTurnRecord(message)
    if (record !== undefined && record.said !== said) throw saidSomethingElse(turnId)
  }
  return { answer, said: lastSaid }
}

function saidSomethingElse(turnId: string): ConflictError {
  return new ConflictError({
    message: `A request with the idempotency key "${turnId}" said something else. Send what it said, or give the new request a key of its own.`,
  })
}

function toResult(message: Message): ChatTurnResult {
  const { content, toolCalls = [] } = message
  const { finishReason, usage } = readTurnRecord(message) ?? {}
  return {
    text: typeof content === 'string' ? content : '',
    toolCalls,
    finishReason: finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage,
    warnings: [],
  }
}
