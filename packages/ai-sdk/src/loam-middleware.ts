import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Middleware,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider'
import { toAnswer, watchStream, type Answer } from './answer.js'
import type { Conversation, ConversationClient } from './conversation.js'
import { spokenText, toMessageInputs, type MessageInput } from './message-input.js'
import { ownToolNames } from './own-tools.js'
import { dividePrompt, withContext, type Context, type DividedPrompt } from './prompt.js'
import { toStorable } from './storable.js'
import { storeMessages } from './store-messages.js'
import { createTurns, type Turn } from './turns.js'
import { unstored } from './unstored.js'

/**
 * Makes any model of the AI SDK remember, for `wrapLanguageModel({ model, middleware })`.
 *
 * Before the model is called, what is new of the conversation is stored and the agent's system prompt is put in front (your own
 * `system` becomes a part of it); then its answer is stored, and the turn reported, which sets consolidation going. Whatever
 * becomes of the model, what the user said is kept, and said again it is stored once. Make one for each conversation; it keeps
 * nothing but which turn a tool's result belongs to.
 *
 * @throws ApiError, ConnectionError from a call of the model, when Loam cannot be asked or refuses.
 */
export function loamMiddleware(
  client: ConversationClient,
  { agent, userId, session = `chat/${userId}` }: Conversation,
): LanguageModelV3Middleware {
  const place = { agent, userId, session }
  const turns = createTurns()

  async function begin(given: LanguageModelV3CallOptions, model: LanguageModelV3) {
    const divided = dividePrompt(given.prompt)
    const turn = turns.of(given.prompt, answeredCalls(divided.fresh))
    // Whatever becomes of the prompt, what was said is stored first.
    const [stored, context] = await Promise.allSettled([
      storeFresh(turn, divided.fresh, given),
      contextOf(turn, divided, { given, model }),
    ])
    if (stored.status === 'rejected') throw stored.reason
    if (context.status === 'rejected') throw context.reason
    turn.context = context.value
    const prompt = withContext(context.value, divided.said, model.provider)
    return { turn, params: { ...given, prompt } }
  }

  async function storeFresh(
    turn: Turn,
    fresh: LanguageModelV3Prompt,
    given: LanguageModelV3CallOptions,
  ): Promise<void> {
    const ownTools = ownToolNames(given)
    const messages = fresh
      .flatMap((message) => toMessageInputs(message, ownTools))
      .map((message, index) => ({ ...message, id: `${turn.id}/${turn.steps}/said/${index}` }))
      .flatMap(toStorable)
    if (messages.length === 0) return
    await storeMessages(client, place, await unstored(client, place, messages))
  }

  async function contextOf(
    turn: Turn,
    { instructions, fresh }: DividedPrompt,
    {
      given,
      model,
    }: { readonly given: LanguageModelV3CallOptions; readonly model: LanguageModelV3 },
  ): Promise<Context> {
    if (turn.context !== undefined) return turn.context
    const said = fresh.map(spokenText).findLast((text) => text !== undefined)
    const request = {
      ...place,
      turnId: turn.id,
      model: model.modelId,
      tools: toolsOf(given),
      silentToken: false as const,
      ...(said !== undefined && { message: said }),
      ...(instructions !== '' && { extraPrompt: instructions }),
    }
    return await client.buildContext(request, { signal: given.abortSignal })
  }

  async function end(
    turn: Turn,
    { text, toolCalls, usage }: Answer,
    given: LanguageModelV3CallOptions,
  ): Promise<void> {
    const ownTools = ownToolNames(given)
    const isSearch = text === '' && toolCalls.every(({ name }) => ownTools.has(name))
    const message: MessageInput = {
      id: `${turn.id}/${turn.steps}/answer`,
      role: 'assistant',
      content: text,
      ...(toolCalls.length > 0 && { toolCalls: [...toolCalls] }),
      ...(toolCalls.length > 0 && isSearch && { content: null, origin: 'injected' }),
    }
    await storeMessages(client, place, toStorable(message))
    turn.steps += 1
    turn.usage.inputTokens += countOf(usage.inputTokens.total)
    turn.usage.outputTokens += countOf(usage.outputTokens.total)
    // With a call of a tool the turn goes on: the result comes with the next call of the model.
    if (toolCalls.length > 0) {
      turns.wait(
        turn,
        toolCalls.map(({ id }) => id),
      )
    } else {
      const report = { runId: turn.id, status: 'completed', usage: turn.usage } as const
      await client.reportRun({ ...place, ...report })
    }
  }

  /** Under another id, since the turn may be tried again, and its report must count then. */
  async function fail(turn: Turn, { abortSignal }: LanguageModelV3CallOptions): Promise<void> {
    const runId = `${turn.id}/${crypto.randomUUID()}`
    const status = abortSignal?.aborted === true ? 'cancelled' : 'failed'
    // What went wrong with the model is what the caller has to know.
    await client.reportRun({ ...place, runId, status }).catch(() => {})
  }

  return {
    specificationVersion: 'v3',
    async wrapGenerate({ model, params: given }) {
      const { turn, params } = await begin(given, model)
      const result = await Promise.resolve(model.doGenerate(params)).catch(
        async (error: unknown) => {
          await fail(turn, given)
          throw error
        },
      )
      await end(turn, toAnswer(result), given)
      return result
    },
    async wrapStream({ model, params: given }) {
      const { turn, params } = await begin(given, model)
      const result = await Promise.resolve(model.doStream(params)).catch(async (error: unknown) => {
        await fail(turn, given)
        throw error
      })
      const stream = watchStream(result.stream, async (answer) => {
        await (answer === undefined ? fail(turn, given) : end(turn, answer, given))
      })
      return { ...result, stream }
    },
  }
}

/** What a provider counts may be anything, and must not be what a turn fails by. */
function countOf(tokens: number | undefined): number {
  return Number.isSafeInteger(tokens) ? Math.max(0, tokens ?? 0) : 0
}

function answeredCalls(fresh: LanguageModelV3Prompt): readonly string[] {
  return fresh.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
      : [],
  )
}

function toolsOf({ tools = [] }: LanguageModelV3CallOptions) {
  return tools.map((tool) => ({
    name: tool.name,
    ...(tool.type === 'function' &&
      tool.description !== undefined && { description: tool.description }),
  }))
}
