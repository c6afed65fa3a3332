import { ForbiddenError, defineTool } from '@loam/core'
import { z } from 'zod'

/** Adds two numbers; says everything that a tool can say of itself. */
export const add = defineTool({
  name: 'add',
  title: 'Add numbers',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number().optional() }),
  isReadOnly: true,
  isOpenWorld: false,
  run: async ({ a, b = 0 }) => String(a + b),
})

/** Says nothing of itself but that it writes. */
export const send = defineTool({
  name: 'send',
  description: 'Sends.',
  inputSchema: z.object({}),
  isReadOnly: false,
  run: async () => 'Sent.',
})

/** Fails with what a model may be told. */
export const refuse = defineTool({
  name: 'refuse',
  description: 'Refuses.',
  inputSchema: z.object({}),
  isReadOnly: true,
  run: async () => {
    throw new ForbiddenError({ message: 'You may not.' })
  },
})

/** Fails with what nobody outside may be told. */
export const crash = defineTool({
  name: 'crash',
  description: 'Crashes.',
  inputSchema: z.object({}),
  isReadOnly: true,
  run: async () => {
    throw new Error('password=hunter2')
  },
})
