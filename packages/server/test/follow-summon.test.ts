import type { Summon } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import { followSummon } from '../src/follow-summon.js'

const summon = (state: Summon['state'], generation: number): Summon => ({
  agentId: 'a',
  generation,
  kind: 'retry',
  state,
  instruction: 'x',
  files: [],
  error: undefined,
  startedAt: new Date(0),
  finishedAt: undefined,
})

/** What is told of a summon whose record is found like this. */
async function told(first: Summon, ...records: readonly (Summon | undefined)[]) {
  const left = [...records]
  const events = []
  const find = () => Promise.resolve(left.shift())
  for await (const event of followSummon(first, find, new AbortController().signal)) {
    events.push([event.event, event.data])
  }
  return events
}

describe('followSummon', () => {
  it.each([
    ['was cancelled', summon('cancelled', 4), {}],
    ['was cancelled and begun anew', summon('running', 5), { replacedBy: 5 }],
    ['was followed by another that has ended', summon('completed', 5), { replacedBy: 5 }],
    ['is gone with its agent', undefined, {}],
  ])('tells "cancelled" of one that %s, and follows no other', async (_what, record, more) => {
    expect(await told(summon('running', 3), summon('running', 3), record)).toEqual([
      ['started', { generation: 3, kind: 'retry' }],
      ['cancelled', { generation: 3, state: 'cancelled', ...more }],
    ])
  })

  it.each([
    ['completed', 'completed'],
    ['partial', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const)('tells of one that has ended as %s at once', async (state, event) => {
    expect(await told(summon(state, 3))).toEqual([
      ['started', { generation: 3, kind: 'retry' }],
      [event, { generation: 3, state }],
    ])
  })
})
