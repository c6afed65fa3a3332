import { describe, expect, it } from 'vitest'
import { createLazyToolSource } from '../src/api/lazy-tool-source.js'
import { ApiError } from '../src/api/api-error.js'
import type { Connection } from '../src/api/connect.js'

const unreachable = () =>
  new ApiError({ status: 0, code: 'unreachable', message: 'No server answers.' })
const refused = () => new ApiError({ status: 401, code: 'unauthenticated', message: 'No.' })

/** A source whose openings and lists fail as they are told, one after the other; undefined is no failure. */
function world(openings: (Error | undefined)[], lists: (Error | undefined)[] = []) {
  const told: unknown[] = []
  const counts = { opened: 0, closed: 0 }
  const connection = {
    close: async () => {
      counts.closed += 1
    },
  } as Connection
  const tools = createLazyToolSource({
    open: async () => {
      counts.opened += 1
      const failure = openings.shift()
      if (failure !== undefined) throw failure
      return connection
    },
    toSource: () => ({
      list: async () => {
        const failure = lists.shift()
        if (failure !== undefined) throw failure
        return []
      },
      call: async () => undefined,
    }),
    onError: (error) => told.push(error),
  })
  return { tools, told, counts }
}

describe('tools that are connected to when they are needed', () => {
  it('open nothing for a client that asks for none', async () => {
    const { tools, counts } = world([])
    await tools.close()
    expect(counts).toEqual({ opened: 0, closed: 0 })
  })

  it('open one connection for all that is asked, and close it', async () => {
    const { tools, counts } = world([])
    await Promise.all([tools.list(), tools.list(), tools.call({ name: 'x', arguments: '' })])
    await tools.close()
    expect(counts).toEqual({ opened: 1, closed: 1 })
  })

  it('try again after they could not be opened, and tell of it', async () => {
    const { tools, told, counts } = world([new Error('in use')])
    await expect(tools.list()).rejects.toThrow('in use')
    await expect(tools.list()).resolves.toEqual([])
    expect([told.length, counts.opened]).toEqual([1, 2])
  })

  it.each([
    ['look anew for a server that is gone', unreachable(), 2],
    ['stay with a server that refuses', refused(), 1],
  ])('%s', async (_, failure, opened) => {
    const { tools, told, counts } = world([], [failure])
    await expect(tools.list()).rejects.toBe(failure)
    await tools.list()
    expect([told, counts.opened]).toEqual([[failure], opened])
  })

  it('tell of nothing that the client itself gave up', async () => {
    const { tools, told } = world([], [unreachable()])
    await expect(tools.list({ signal: AbortSignal.abort() })).rejects.toThrow('No server')
    expect(told).toEqual([])
  })

  it('stop looking when they are closed', async () => {
    const told: unknown[] = []
    const tools = createLazyToolSource({
      open: async (signal) =>
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
        }),
      toSource: () => ({ list: async () => [], call: async () => undefined }),
      onError: (error) => told.push(error),
    })
    const listing = tools.list().catch((error: unknown) => error)
    await tools.close()
    expect(await listing).toMatchObject({ message: 'stopped' })
    expect(told).toEqual([])
  })
})
