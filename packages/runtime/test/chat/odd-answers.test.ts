import {
  defineTool,
  generateId,
  silentLogger,
  type CompletionMessage,
  type CompletionModel,
  type CompletionResult,
  type Scope,
} from '@loam/core'
import { createMemory, type Memory, type MessageInput } from '@loam/memory'
import { createLocalEmbeddings } from '@loam/models'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_TOOL_STEPS, answerWithTools } from '../../src/chat/answer-with-tools.js'
import { fitToStore } from '../../src/chat/fit-to-store.js'
import { MAX_CALLS_PER_STEP } from '../../src/chat/tame-calls.js'

type Call = CompletionResult['toolCalls'][number]

/** A model with these answers, one after the other, that keeps what it was asked. */
function scripted(...answers: readonly (string | readonly Call[])[]) {
  const asked: (readonly CompletionMessage[])[] = []
  const model: CompletionModel = {
    provider: 'test',
    model: 'scripted',
    async complete({ messages }, { onText }) {
      const answer = answers[asked.length] ?? 'Done.'
      asked.push(messages)
      if (typeof answer === 'string') onText?.(answer)
      return typeof answer === 'string'
        ? { text: answer, toolCalls: [], finishReason: 'stop' }
        : { text: '', toolCalls: answer, finishReason: 'tool_calls' }
    },
  }
  return { model, asked }
}

/** A tool that counts how many of its calls are under way at once. */
function countingTool() {
  const counts = { calls: 0, underWay: 0, most: 0 }
  const tool = defineTool({
    name: 'note',
    title: 'Note',
    description: 'Notes.',
    inputSchema: z.object({ text: z.string().optional() }),
    isReadOnly: true,
    isOpenWorld: false,
    async run() {
      counts.calls += 1
      counts.underWay += 1
      counts.most = Math.max(counts.most, counts.underWay)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      counts.underWay -= 1
      return 'Noted.'
    },
  })
  return { tool, counts }
}

let made = 0
const call = (more: Partial<Call> = {}): Call => {
  made += 1
  return { id: `call-${made}`, name: 'note', arguments: '{}', ...more }
}
const scope: Scope = { tenantId: DEFAULT_TENANT_ID, agentId: generateId(), userId: 'ana' }
const answer = async (model: CompletionModel, own: ReturnType<typeof countingTool>['tool'][]) => {
  const steps: CompletionMessage[] = []
  const answered = await answerWithTools(
    model,
    { messages: [{ role: 'user', content: 'Hello' }], own, foreign: [], parameters: {} },
    {
      scope,
      task: 'chat',
      onStep: async (messages) => {
        steps.push(...messages)
        await Promise.resolve()
      },
    },
    silentLogger,
  )
  return { ...answered, steps }
}

describe('a model that calls very many tools at once', () => {
  it('has the first of them made, a few at a time, and is told of the others', async () => {
    const { tool, counts } = countingTool()
    const { model, asked } = scripted(Array.from({ length: 990 }, () => call()))
    const { steps, warnings, text } = await answer(model, [tool])
    expect(text).toBe('Done.')
    expect(counts).toEqual({ calls: MAX_CALLS_PER_STEP, underWay: 0, most: 4 })
    expect(steps).toHaveLength(1 + MAX_CALLS_PER_STEP)
    expect(asked[1]?.at(-1)?.content).toMatch(/990 tools were called at once; only the first 32/)
    expect(warnings).toEqual([expect.stringContaining('990 tools')])
  })

  it('makes none of those that wait once it is aborted', async () => {
    const { tool, counts } = countingTool()
    const { model } = scripted(Array.from({ length: 20 }, () => call()))
    const aborting = new AbortController()
    const ending = {
      ...tool,
      run: async (...input: Parameters<typeof tool.run>) => {
        aborting.abort()
        return await tool.run(...input)
      },
    }
    await expect(
      answerWithTools(
        model,
        { messages: [], own: [ending], foreign: [], parameters: {} },
        { scope, task: 'chat', signal: aborting.signal },
        silentLogger,
      ),
    ).rejects.toThrow('aborted')
    expect(counts.calls).toBeLessThanOrEqual(4)
  })
})

const stepMessages = (steps: readonly CompletionMessage[]): MessageInput[] =>
  steps.map((step) => ({
    role: step.role as 'assistant' | 'tool',
    origin: 'injected',
    content: step.content as string | null,
    ...(step.role === 'tool' && { toolCallId: step['tool_call_id'] as string }),
    ...(step.role === 'assistant' && {
      toolCalls: (step['tool_calls'] as { id: string; function: Omit<Call, 'id'> }[]).map(
        ({ id, function: called }) => ({ id, ...called }),
      ),
    }),
  }))

describe('what a model did is stored, however odd', () => {
  let storage: Storage
  let memory: Memory
  let agentId = ''
  beforeAll(async () => {
    storage = await createTestStorage()
    memory = createMemory({ storage, embeddings: createLocalEmbeddings() })
    const access = { tenantId: DEFAULT_TENANT_ID, userId: '' }
    await storage.transaction(access, async ({ tenants, agents }) => {
      await tenants.ensure({ slug: 'test', name: 'Test' })
      const none = { displayName: undefined, description: undefined, settings: {} }
      agentId = generateId()
      await agents.create({ id: agentId, key: 'helper', type: 'open', ...none })
    })
  })
  afterAll(() => storage.close())

  const store = async (messages: readonly MessageInput[]) => {
    const fitting = fitToStore(messages)
    await memory.storeMessages({ ...scope, agentId }, { key: generateId() }, fitting.messages)
    return fitting
  }
  it.each([
    ['a name of 5,000 characters', [call({ name: 'n'.repeat(5_000) })]],
    ['a name with NUL', [call({ name: 'a\0b' })]],
    ['no name', [call({ name: '' })]],
    ['an id of 5,000 characters', [call({ id: 'i'.repeat(5_000) })]],
    ['an id with NUL', [call({ id: 'a\0b' })]],
    ['half a surrogate pair as its id', [call({ id: '\ud800' })]],
    ['arguments of 1.2 MB', [call({ arguments: `{"text":"${'a'.repeat(1_200_000)}"}` })]],
    [
      'ten calls with 900 kB each',
      Array.from({ length: 10 }, () => call({ arguments: `{"text":"${'a'.repeat(900_000)}"}` })),
    ],
  ])('%s', async (_what, calls) => {
    const { tool } = countingTool()
    const { model } = scripted(calls)
    const { steps, text } = await answer(model, [tool])
    expect(text).toBe('Done.')
    const results = steps.filter(({ role }) => role === 'tool')
    expect(results).toHaveLength(calls.length)
    await store([...stepMessages(steps), { role: 'assistant', content: text }])
  })

  it('an answer of 1.1 million characters, cut with a note and a warning', async () => {
    const { messages, warnings } = await store([
      { role: 'assistant', content: '. '.repeat(550_000) },
    ])
    expect(messages[0]?.content).toMatch(/\n\[1100000 characters, cut\]$/)
    expect(warnings).toHaveLength(1)
  })

  it('as many steps as there can be, each as long as can be', async () => {
    const { tool } = countingTool()
    const long = `{"text":"${'a'.repeat(100_000)}"}`
    const step = () => Array.from({ length: MAX_CALLS_PER_STEP }, () => call({ arguments: long }))
    const { model } = scripted(...Array.from({ length: MAX_TOOL_STEPS }, step))
    const { steps } = await answer(model, [tool])
    const results = stepMessages(steps).map((message) =>
      message.role === 'tool' ? { ...message, content: 'b'.repeat(1_200_000) } : message,
    )
    const { messages } = await store([...results, { role: 'assistant', content: 'Done.' }])
    expect(messages).toHaveLength(steps.length + 1)
    expect(messages.at(-1)?.content).toBe('Done.')
  })

  it('and unchanged where it fits', () => {
    const messages: MessageInput[] = [
      { role: 'assistant', content: null, toolCalls: [call()] },
      { role: 'tool', content: 'b'.repeat(300_000), toolCallId: 'call-1' },
      { role: 'assistant', content: 'Done.' },
    ]
    expect(fitToStore(messages)).toEqual({ messages, warnings: [] })
  })
})
