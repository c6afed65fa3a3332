import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { toolSourceOf, type ToolSource } from '../src/index.js'
import { serveMcpStdio } from '../src/stdio.js'
import { add } from './example-tools.js'

const HELLO = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

/** Serves over streams of the test's own. */
function serve(tools: ToolSource = toolSourceOf([add]), signal?: AbortSignal) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const lines: unknown[] = []
  output.on('data', (chunk: string) => {
    for (const line of chunk.trim().split('\n')) lines.push(JSON.parse(line))
  })
  const ended = serveMcpStdio({ tools, version: '1', input, output, signal })
  let id = 0
  const ask = async (message: object) => {
    id += 1
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    const answered = () => lines.some((line) => (line as { id?: number }).id === id)
    while (!answered()) await new Promise(setImmediate)
    return lines.at(-1)
  }
  return { input, output, ended, ask, lines }
}

describe('a server over streams', () => {
  it('answers, and ends when its input does', async () => {
    const { input, ended, ask, lines } = serve()
    expect(await ask(HELLO)).toMatchObject({ result: { serverInfo: { name: 'loam' } } })
    expect(await ask({ method: 'tools/list' })).toMatchObject({
      result: { tools: [{ name: 'add' }] },
    })
    input.end()
    await ended
    expect(lines).toHaveLength(2)
  })

  it('ends when its input does before anything was said', async () => {
    const { input, ended } = serve()
    input.end()
    await expect(ended).resolves.toBeUndefined()
  })

  it.each([
    ['is aborted already', () => AbortSignal.abort()],
    ['aborts', () => AbortSignal.timeout(1)],
  ])('ends when its signal %s', async (_, signal) => {
    await expect(serve(undefined, signal()).ended).resolves.toBeUndefined()
  })

  it('ends when nobody reads its output any more', async () => {
    const { output, ended, ask } = serve()
    await ask(HELLO)
    output.destroy(new Error('write EPIPE'))
    await expect(ended).resolves.toBeUndefined()
  })

  it('lets a call know when the client has gone', async () => {
    let begin: (signal: AbortSignal | undefined) => void
    const calling = new Promise<AbortSignal | undefined>((resolve) => (begin = resolve))
    const { input, ended, ask } = serve({
      list: async () => [],
      call: async (_, { signal } = {}) => {
        begin(signal)
        return await new Promise(() => {})
      },
    })
    await ask(HELLO)
    const call = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'add' } }
    input.write(`${JSON.stringify(call)}\n`)
    const signal = await calling
    input.end()
    await ended
    expect(signal?.aborted).toBe(true)
  })

  it('ends on a line that is longer than any may be', async () => {
    const { input, ended } = serve()
    input.write('x'.repeat(10 * 1024 * 1024 + 1))
    await expect(ended).resolves.toBeUndefined()
  })
})
