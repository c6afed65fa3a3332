import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, silentLogger } from '@loam/core'
import { createOpenAiCompletionModel } from '@loam/models'
import { startModelServer, type ModelReply } from '@loam/models/testing'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createChat, type Chat, type ChatOptions } from '../../src/chat/create-chat.js'
import {
  createRuntime,
  loadConfig,
  type ChatTurnResult,
  type RunReport,
  type Runtime,
} from '../../src/index.js'

/** Chat of a runtime with a model that answers by rule; what is reported of runs is kept. */
async function withChat(
  rule: (index: number) => ModelReply | Promise<ModelReply>,
  work: (world: {
    readonly turn: Parameters<Chat>[0]
    readonly chat: Chat
    /** The same turns, answered by another process. */
    readonly otherChat: Chat
    readonly reports: readonly RunReport[]
    /** What the session has stored, in order. */
    readonly stored: () => Promise<readonly unknown[]>
    /** Which came first: building the prompt, or asking the store for earlier turns. */
    readonly order: readonly string[]
    /** What was written with the tool `note`. */
    readonly notes: readonly string[]
    /** What the model was shown, by request. */
    readonly shown: readonly (readonly { readonly role: string }[])[]
  }) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'loam-chat-'))
  const shown: (readonly { readonly role: string }[])[] = []
  await using server = await startModelServer({
    chat: ({ index, body }) => {
      shown.push((body as unknown as { messages: readonly { role: string }[] }).messages)
      return rule(index)
    },
  })
  await using storage = await createTestStorage()
  const config = loadConfig({ LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' }, { cwd: home })
  await using loam: Runtime = await createRuntime(config, { storage })
  const agent = await loam.agents.create(DEFAULT_TENANT_ID, {
    key: 'helper',
    type: 'open',
    displayName: undefined,
    description: undefined,
    settings: {},
  })
  const reports: RunReport[] = []
  const order: string[] = []
  const notes: string[] = []
  const note = defineTool({
    name: 'note',
    description: 'Writes a line.',
    isReadOnly: false,
    inputSchema: z.object({ line: z.string() }),
    run: ({ line }) => {
      notes.push(line)
      return Promise.resolve('Written.')
    },
  })
  const options: ChatOptions = {
    ...loam,
    storage: {
      lastErasure: () => storage.lastErasure(),
      transaction: (...input) => {
        order.push('earlier')
        return storage.transaction(...input)
      },
    },
    buildContext: (request) => {
      order.push('prompt')
      return loam.buildContext(request)
    },
    createTools: (request) => [...loam.createTools(request), note],
    logger: silentLogger,
    completion: createOpenAiCompletionModel({ baseUrl: server.baseUrl, model: 'scripted' }),
    reportRun: async (scope, key, report) => {
      reports.push(report)
      return await loam.reportRun(scope, key, report)
    },
  }
  const [chat, otherChat] = [createChat(options), createChat(options)]
  const turn = {
    tenantId: DEFAULT_TENANT_ID,
    agent,
    userId: 'ana',
    sessionKey: 'chat-1',
    messages: [{ role: 'user', content: 'Hello' }],
  }
  const stored = () =>
    storage.transaction({ tenantId: DEFAULT_TENANT_ID, userId: 'ana' }, async (stores) => {
      const session = await stores.sessions.findByKey(agent.id, turn.sessionKey)
      const { items } = await stores.messages.list(session?.id ?? '', { limit: 100 })
      return items.map(({ content }) => content)
    })
  try {
    await work({ turn, chat, otherChat, reports, notes, shown, stored, order })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const search = { id: 'a', name: 'memory_search', arguments: '{"query":"tea"}' }

it('a turn that is answered is reported as completed, with what all its steps cost', async () => {
  await withChat(
    (index) => (index === 0 ? { text: null, toolCalls: [search] } : 'Hello.'),
    async ({ turn, chat, reports }) => {
      await chat({ ...turn, turnId: 'one' })
      const usage = { inputTokens: 20, outputTokens: 10 }
      expect(reports).toEqual([{ runId: 'one', status: 'completed', usage }])
    },
  )
})

it('a turn whose model fails is reported as failed, and as completed when it is answered at last', async () => {
  await withChat(
    (index) => (index === 0 ? { status: 400 } : 'Hello.'),
    async ({ turn, chat, reports }) => {
      await expect(chat({ ...turn, turnId: 'one' })).rejects.toMatchObject({ code: 'model_failed' })
      await chat({ ...turn, turnId: 'one' })
      expect(reports.map(({ status }) => status)).toEqual(['failed', 'completed'])
      expect(new Set(reports.map(({ runId }) => runId)).size).toBe(2)
    },
  )
})

it('a turn that is ended by its signal is reported as cancelled', async () => {
  await withChat(
    () => ({ hang: true }),
    async ({ turn, chat, reports }) => {
      const controller = new AbortController()
      const answer = chat(turn, { signal: controller.signal })
      setTimeout(() => {
        controller.abort()
      }, 100)
      await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
      expect(reports.map(({ status }) => status)).toEqual(['cancelled'])
    },
  )
})

it('a turn that waits for a tool of the client’s is not reported yet', async () => {
  const tools = [{ type: 'function', function: { name: 'get_weather' } }]
  await withChat(
    () => ({ text: null, toolCalls: [{ ...search, name: 'get_weather' }] }),
    async ({ turn, chat, reports }) => {
      const { finishReason } = await chat({ ...turn, tools })
      expect(finishReason).toBe('tool_calls')
      expect(reports).toEqual([])
    },
  )
})

it('what is said between two calls is a paragraph of the answer', async () => {
  await withChat(
    (index) => (index === 0 ? { text: 'Let me look.', toolCalls: [search] } : 'Nothing there.'),
    async ({ turn, chat }) => {
      const told: string[] = []
      const { text } = await chat(turn, { onText: (part) => told.push(part) })
      expect(text).toBe('Let me look.\n\nNothing there.')
      expect(told.join('')).toBe(text)
    },
  )
})

it('a long turn that was not answered is stored once, when it is sent again before what is said next', async () => {
  await withChat(
    (index) => (index === 0 ? { status: 400 } : 'Hello.'),
    async ({ turn, chat, stored }) => {
      const long = Array.from({ length: 14 }, (_, index) => ({
        role: 'user',
        content: `Part ${index}`,
      }))
      await expect(chat({ ...turn, messages: long })).rejects.toMatchObject({
        code: 'model_failed',
      })
      await chat({ ...turn, messages: [...long, { role: 'user', content: 'Well?' }] })
      expect(await stored()).toEqual([...long.map(({ content }) => content), 'Well?', 'Hello.'])
    },
  )
})

/** Calls of tools and their results, of what a model was shown. */
const doneIn = (messages: readonly { readonly role: string }[] = []) =>
  messages.flatMap(({ role }) => (role === 'assistant' || role === 'tool' ? [role] : []))

const write = (line: string) => ({
  text: null,
  toolCalls: [{ id: `write-${line}`, name: 'note', arguments: JSON.stringify({ line }) }],
})

it.each([
  ['the same key', 'one', 'one'],
  ['another key', 'one', 'two'],
  ['no key', undefined, undefined],
])(
  'a turn that is tried again with %s goes on from what its tools have done',
  async (_what, first, second) => {
    const replies: readonly ModelReply[] = [write('a'), { raw: '{' }, write('b'), 'Both.']
    await withChat(
      (index) => replies[index] ?? 'Done.',
      async ({ turn, chat, notes, shown }) => {
        await expect(chat({ ...turn, turnId: first })).rejects.toMatchObject({
          code: 'model_failed',
        })
        const { text } = await chat({ ...turn, turnId: second })
        expect(text).toBe('Both.')
        expect(notes).toEqual(['a', 'b'])
        expect(doneIn(shown.at(-1))).toEqual(['assistant', 'tool', 'assistant', 'tool'])
      },
    )
  },
)

const weather = { type: 'function', function: { name: 'get_weather' } }
const callWeather = { id: 'w', name: 'get_weather', arguments: '{}' }
const weatherCalled = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'w', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
}
const weatherResult = { role: 'tool', tool_call_id: 'w', content: 'Rain.' }

it("a turn that goes on with results of the client's tools shows the model what Loam's did before", async () => {
  const call = { text: null, toolCalls: [callWeather] }
  const replies: readonly ModelReply[] = [write('a'), call, write('b'), call, 'Take a coat.']
  await withChat(
    (index) => replies[index] ?? 'Done.',
    async ({ turn, chat, notes, shown }) => {
      const messages: { readonly role: string }[] = [...turn.messages]
      const goOn = () => chat({ ...turn, messages, tools: [weather] })
      await goOn()
      messages.push(weatherCalled, weatherResult)
      await goOn()
      messages.push(weatherCalled, weatherResult)
      expect((await goOn()).text).toBe('Take a coat.')
      expect(notes).toEqual(['a', 'b'])
      const called = JSON.stringify(shown.at(-1)).matchAll(/"name":"(note|get_weather)"/g)
      expect([...called].map(([, name]) => name)).toEqual([
        'note',
        'get_weather',
        'note',
        'get_weather',
      ])
      expect(doneIn(shown.at(-1))).toHaveLength(8)
    },
  )
})

it('a model that invents a tool is told of all that it has', async () => {
  const invented = { text: null, toolCalls: [{ id: 'x', name: 'divine', arguments: '{}' }] }
  await withChat(
    (index) => (index === 0 ? invented : 'Done.'),
    async ({ turn, chat, shown }) => {
      await chat({ ...turn, tools: [weather] })
      expect(JSON.stringify(shown.at(-1)?.at(-1))).toMatch(/There are: memory_search.*get_weather/)
    },
  )
})

it('a model is not told how to say nothing, since somebody awaits its answer', async () => {
  await withChat(
    () => 'Hello.',
    async ({ turn, chat, shown }) => {
      await chat(turn)
      expect(JSON.stringify(shown)).not.toContain('Silent Replies')
    },
  )
})

it('what a failed turn did is none of a turn that says something else', async () => {
  const replies: readonly ModelReply[] = [write('a'), { raw: '{' }]
  await withChat(
    (index) => replies[index] ?? 'Done.',
    async ({ turn, chat, shown }) => {
      await expect(chat(turn)).rejects.toMatchObject({ code: 'model_failed' })
      await chat({ ...turn, messages: [{ role: 'user', content: 'Something else' }] })
      expect(doneIn(shown.at(-1))).toEqual([])
    },
  )
})

it('the prompt of a turn without a name is built while the store is asked what was answered', async () => {
  await withChat(
    () => 'Hello.',
    async ({ turn, chat, order }) => {
      await chat(turn)
      await chat({ ...turn, turnId: 'one' })
      expect(order).toEqual(['prompt', 'earlier', 'earlier', 'prompt'])
    },
  )
})

it('a turn begins anew when the model refuses what its first attempt has done', async () => {
  const replies: readonly ModelReply[] = [write('a'), { status: 400 }, { status: 400 }, 'Hello.']
  await withChat(
    (index) => replies[index] ?? 'Done.',
    async ({ turn, chat, shown }) => {
      await expect(chat(turn)).rejects.toMatchObject({ reason: 'refused' })
      expect((await chat(turn)).text).toBe('Hello.')
      expect(doneIn(shown.at(-1))).toEqual([])
    },
  )
})

it('what was said is found again behind all that its first attempt did', async () => {
  const many = { text: null, toolCalls: Array.from({ length: 30 }, () => search) }
  await withChat(
    (index) => (index < 8 ? many : index === 8 ? { raw: '{' } : 'Done.'),
    async ({ turn, chat, shown }) => {
      await expect(chat(turn)).rejects.toMatchObject({ code: 'model_failed' })
      await chat(turn)
      expect(doneIn(shown.at(-1))).toHaveLength(8 * 31)
    },
  )
})

/** One process is asked first, and another answers the same turn before it. */
async function answeredByTwo(
  work: (answers: {
    readonly late: ChatTurnResult
    readonly early: ChatTurnResult
    readonly again: ChatTurnResult
    readonly reports: readonly RunReport[]
  }) => void,
  hooks: Parameters<Chat>[1] = {},
): Promise<void> {
  const progress = new EventEmitter()
  const asked = once(progress, 'asked')
  const answered = once(progress, 'answered')
  await withChat(
    async (index) => {
      if (index > 0) return `Answer ${index}.`
      progress.emit('asked')
      await answered
      return 'Too late.'
    },
    async ({ turn, chat, otherChat, reports }) => {
      const named = { ...turn, turnId: 'one' }
      const answering = otherChat(named, hooks)
      await asked
      const early = await chat(named)
      progress.emit('answered')
      const late = await answering
      work({ late, early, again: await chat(named), reports })
    },
  )
}

it('two processes that answer one turn tell the same answer, and it is reported once', async () => {
  await answeredByTwo(({ late, early, again, reports }) => {
    expect([late.text, again.text]).toEqual([early.text, early.text])
    expect(reports.map(({ status }) => status)).toEqual(['completed'])
  })
})

it('a process that has told another answer meanwhile says that it is not the one that is stored', async () => {
  const told: string[] = []
  const onText = (text: string) => told.push(text)
  await answeredByTwo(
    ({ late, early, again }) => {
      expect([late.text, told.join(''), again.text]).toEqual(['Too late.', 'Too late.', early.text])
      expect(late.warnings).toEqual([expect.stringContaining('at the same moment')])
    },
    { onText },
  )
})
