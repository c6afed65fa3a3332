import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ForbiddenError,
  StorageUnavailableError,
  callTool,
  defineTool,
  describeTools,
  toAiSdkTools,
  toAnthropicTools,
  toOpenAiTools,
} from '../../src/index.js'

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number().describe('One.'), b: z.number().optional() }),
  isReadOnly: true,
  run: async ({ a, b = 0 }) => String(a + b),
})
const broken = (error: unknown) =>
  defineTool({
    name: 'broken',
    description: 'Breaks.',
    inputSchema: z.object({}),
    isReadOnly: false,
    run: async () => {
      throw error
    },
  })
const parameters = {
  type: 'object',
  properties: { a: { type: 'number', description: 'One.' }, b: { type: 'number' } },
  required: ['a'],
}

describe('a tool', () => {
  it('checks what it is called with', async () => {
    expect(await add.run({ a: 1, b: 2 })).toBe('3')
    await expect(add.run({ a: '1' })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'a' }],
    })
  })

  it('is rendered for each provider', async () => {
    expect(toOpenAiTools([add])).toMatchObject([
      { type: 'function', function: { name: 'add', description: 'Adds.', parameters } },
    ])
    expect(toAnthropicTools([add])).toMatchObject([{ name: 'add', input_schema: parameters }])
    const { add: rendered } = toAiSdkTools([add])
    expect(rendered?.inputSchema).toBe(add.inputSchema)
    expect(await rendered?.execute({ a: 4 })).toBe('4')
  })
})

describe('describeTools', () => {
  it('says of each tool what it is, and all that may come of it', () => {
    expect(describeTools([add])).toEqual([
      {
        name: 'add',
        title: undefined,
        description: 'Adds.',
        inputSchema: parameters,
        isReadOnly: true,
        isDestructive: false,
        isIdempotent: true,
        isOpenWorld: true,
      },
    ])
  })

  it('takes a tool that writes for the worst, unless it says better', () => {
    const writing = broken(undefined)
    const careful = {
      ...writing,
      title: 'Write',
      isDestructive: false,
      isIdempotent: true,
      isOpenWorld: false,
    }
    expect(describeTools([writing, careful])).toMatchObject([
      { isReadOnly: false, isDestructive: true, isIdempotent: false, isOpenWorld: true },
      { title: 'Write', isDestructive: false, isIdempotent: true, isOpenWorld: false },
    ])
  })
})

const call = (name: string, text: string, tools = [add]) =>
  callTool(tools, { name, arguments: text })

describe('callTool', () => {
  it('gives what the tool answers', async () => {
    expect(await call('add', '{"a":1,"b":1}')).toEqual({ content: '2', isError: false })
  })

  it.each([
    ['an unknown tool', 'subtract', '{}', /There is no tool "subtract"\. There are: add/],
    ['arguments that are no JSON', 'add', '{"a":1', /no JSON object/],
    ['arguments that are no object', 'add', '[1]', /no JSON object/],
    ['no arguments', 'add', '', /a: /],
    ['arguments of another shape', 'add', '{"a":"x"}', /The arguments of add are not valid. a: /],
  ])('tells the model of %s', async (_, name, text, content) => {
    expect(await call(name, text)).toEqual({
      content: expect.stringMatching(content) as string,
      isError: true,
    })
  })

  it('tells the model what may not be done, and nothing of a fault within', async () => {
    const refused = broken(new ForbiddenError({ message: 'You may not.' }))
    expect(await call('broken', '{}', [refused])).toEqual({
      content: 'You may not.',
      isError: true,
    })
    for (const error of [new Error('secret'), new StorageUnavailableError({ message: 'secret' })]) {
      const { content, isError } = await call('broken', '{}', [broken(error)])
      expect(isError).toBe(true)
      expect(content).not.toContain('secret')
    }
  })

  it('passes an abort on', async () => {
    const controller = new AbortController()
    controller.abort(new Error('stopped'))
    const calling = callTool(
      [broken(new Error('x'))],
      { name: 'broken', arguments: '{}' },
      controller,
    )
    await expect(calling).rejects.toThrow('stopped')
  })
})
