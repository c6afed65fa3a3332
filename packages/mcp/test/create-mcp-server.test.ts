import type { LogFields, Logger } from '@loam/core'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import {
  AGENT_INSTRUCTIONS,
  createMcpServer,
  toolSourceOf,
  type McpServerOptions,
  type ToolSource,
} from '../src/index.js'
import { add, crash, refuse, send } from './example-tools.js'

const source = toolSourceOf([add, send, refuse, crash])

/** Lets a client of the SDK talk to a server. */
async function withClient<Result>(
  options: Partial<McpServerOptions>,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const server = createMcpServer({ tools: source, version: '1.2.3', ...options })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await server.connect(far)
  await client.connect(near)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

const call = (name: string, args: Record<string, unknown> = {}, options = {}) =>
  withClient(options, async (client) => await client.callTool({ name, arguments: args }))

/** Nested so deeply that nothing which calls itself can bear it. */
function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const text = (content: unknown) => [{ type: 'text', text: content }]

describe('an MCP server of tools', () => {
  it('says who it is and how to use its tools', async () => {
    await withClient({ title: 'Loam: Helper' }, async (client) => {
      expect(client.getServerVersion()).toEqual({
        name: 'loam',
        title: 'Loam: Helper',
        version: '1.2.3',
      })
      expect(client.getInstructions()).toBe(AGENT_INSTRUCTIONS)
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
    })
  })

  it('says its title in one line', async () => {
    await withClient({ title: 'Loam: He\r\nlp\u001b[31mer\u2028' }, async (client) => {
      expect(client.getServerVersion()?.title).toBe('Loam: He lp [31mer')
    })
  })

  it('tells a client that asks for its list in a wrong way', async () => {
    await withClient({}, async (client) => {
      const request = { method: 'tools/list', params: { cursor: 5 as never } } as const
      await expect(client.request(request)).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/cursor: Must be a text, or left out$/) as string,
      })
    })
  })

  it('lists the tools with their schemas and all that may come of them', async () => {
    const { tools } = await withClient({}, async (client) => await client.listTools())
    expect(tools.slice(0, 2)).toEqual([
      {
        name: 'add',
        title: 'Add numbers',
        description: 'Adds.',
        inputSchema: expect.objectContaining({ type: 'object', required: ['a'] }) as object,
        annotations: {
          title: 'Add numbers',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      {
        name: 'send',
        description: 'Sends.',
        inputSchema: expect.objectContaining({ type: 'object' }) as object,
        annotations: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: false,
          openWorldHint: true,
        },
      },
    ])
  })

  it('calls a tool', async () => {
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ content: text('3'), isError: false })
  })

  it.each([
    ['arguments that do not fit', 'add', { a: 'x' }, /arguments of add are not valid. a: /],
    ['a missing argument', 'add', {}, /arguments of add are not valid. a: /],
    ['what may not be done', 'refuse', {}, /^You may not\.$/],
    ['a fault within, but not which', 'crash', {}, /^crash failed for a reason that is not/],
    [
      'arguments that are nested too deeply',
      'add',
      { a: nested(100_000) },
      /deeper than 32 levels/,
    ],
    ['arguments that are too long', 'add', { a: 'x'.repeat(2 ** 20) }, /1048576 are allowed/],
  ])('tells the model of %s', async (_, name, args, message) => {
    expect(await call(name, args)).toMatchObject({
      content: text(expect.stringMatching(message)),
      isError: true,
    })
  })

  it('answers with an error of the protocol when there is no such tool', async () => {
    await expect(call('no_such')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('There is no tool "no_such"') as string,
    })
  })

  it('repeats no more than the beginning of a name', async () => {
    await expect(call('x'.repeat(100_000))).rejects.toSatisfy(
      (error: Error) => error.message.length < 250,
    )
  })
})

describe('a source that fails', () => {
  const failing: ToolSource = {
    list: async () => {
      throw new Error('password=hunter2')
    },
    call: async () => {
      throw new Error('password=hunter2')
    },
  }

  it('is told of in the log, and to the client without the reason', async () => {
    const lines: [string, LogFields | undefined][] = []
    const write = (message: string, fields?: LogFields) => void lines.push([message, fields])
    const logger: Logger = {
      debug: write,
      info: write,
      warn: write,
      error: write,
      child: () => logger,
    }
    await withClient({ tools: failing, logger }, async (client) => {
      await expect(client.listTools()).rejects.toMatchObject({
        code: -32_603,
        message: expect.stringContaining('cannot be listed at present') as string,
      })
      const result = await client.callTool({ name: 'add', arguments: { a: 'secret' } })
      expect(result).toMatchObject({ isError: true })
      expect(JSON.stringify(result)).not.toContain('hunter2')
    })
    expect(lines.map(([message, fields]) => [message, fields?.['method']])).toEqual([
      ['mcp-request-failed', 'tools/list'],
      ['mcp-request-failed', 'tools/call'],
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('is told of in words that its owner knows', async () => {
    await withClient(
      { tools: failing, describeError: () => 'No server answers.' },
      async (client) => {
        await expect(client.listTools()).rejects.toThrow('No server answers.')
        expect(await client.callTool({ name: 'add' })).toMatchObject({
          content: text('No server answers.'),
          isError: true,
        })
      },
    )
  })
})
