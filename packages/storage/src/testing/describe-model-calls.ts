import { ForbiddenError, NotFoundError, generateId } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DailyModelLimits, ModelCall, ModelCallOutcome, ModelCharge } from '../model-calls.js'
import type { Storage } from '../storage.js'
import { NOW, after } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const DAY_MS = 86_400_000

function sampleCall({ tenantId, agentId }: World, call: Partial<ModelCall> = {}): ModelCall {
  return {
    id: generateId(),
    scope: { tenantId, agentId, userId: 'ada' },
    task: 'episode.summarise',
    kind: 'chat',
    provider: 'openai-compatible',
    model: 'small',
    startedAt: NOW,
    ...call,
  }
}

const charge = (tokens: number, costNanoUsd = 0): ModelCharge => ({ tokens, costNanoUsd })

/** A world of its own in which calls are held to limits. */
async function setUp(storage: Storage, limits: DailyModelLimits) {
  const world = await createWorld(storage)
  return {
    world,
    begin: async (reserved: ModelCharge, call: Partial<ModelCall> = {}) => {
      const recorded = sampleCall(world, { reserved, ...call })
      const admission = await world.asEveryone(({ modelCalls }) =>
        modelCalls.begin(recorded, limits),
      )
      return { id: recorded.id, ...admission }
    },
    finish: (id: string, outcome: Partial<ModelCallOutcome>) =>
      world.asEveryone(({ modelCalls }) =>
        modelCalls.finish(id, { status: 'succeeded', finishedAt: after(1), ...outcome }),
      ),
    calls: () => world.asEveryone(({ modelCalls }) => modelCalls.totals(after(-DAY_MS))),
  }
}

/** Calls of models: recorded before they are sent, summed afterwards, and held to what a day may cost. */
export function describeModelCalls(opened: OpenedStorage): void {
  describe('model calls', () => {
    it('may be for no agent in particular', async () => {
      const world = await createWorld(opened())
      const scope = { tenantId: world.tenantId, agentId: '', userId: '' }
      await world.asEveryone(async ({ modelCalls }) => {
        const call = sampleCall(world, { scope })
        await modelCalls.begin(call)
        await modelCalls.finish(call.id, {
          status: 'succeeded',
          usage: { inputTokens: 3, outputTokens: 0 },
          finishedAt: after(1),
        })
        expect(await modelCalls.totals(NOW)).toMatchObject({ calls: 1, inputTokens: 3 })
      })
    })

    it('are recorded at once by the log, and what is wrong with one is told of that one', async () => {
      const storage = opened()
      const world = await createWorld(storage)
      const { modelCalls } = storage
      const calls = Array.from({ length: 5 }, () => sampleCall(world, { reserved: charge(10) }))
      const [first] = calls
      const begun = await Promise.allSettled(
        [...calls, first!].map((call) => modelCalls.begin(call)),
      )
      expect(begun.map(({ status }) => status).toSorted()).toEqual([
        ...Array<string>(5).fill('fulfilled'),
        'rejected',
      ])
      const outcome = { status: 'succeeded', finishedAt: after(1), charge: charge(7) } as const
      const unknown = sampleCall(world)
      const ended = await Promise.allSettled(
        [unknown, ...calls].map((call) => modelCalls.finish(call, outcome)),
      )
      expect(ended.map(({ status }) => status)).toEqual([
        'rejected',
        ...Array<string>(5).fill('fulfilled'),
      ])
      const totals = await world.asEveryone((stores) => stores.modelCalls.totals(after(-DAY_MS)))
      expect(totals).toMatchObject({ calls: 5, charged: charge(35) })
    })

    it('count towards the day whether they were held to a limit or not', async () => {
      const storage = opened()
      const { world, begin } = await setUp(storage, { tokens: 100 })
      await begin(charge(10))
      const free = [20, 30].map((tokens) => sampleCall(world, { reserved: charge(tokens) }))
      await Promise.all(free.map((call) => storage.modelCalls.begin(call)))
      expect(await begin(charge(41))).toMatchObject({ admitted: false, used: charge(60) })
      await Promise.all(
        free.map((call) =>
          storage.modelCalls.finish(call, {
            status: 'succeeded',
            finishedAt: after(1),
            charge: charge(5),
          }),
        ),
      )
      expect(await begin(charge(80))).toMatchObject({ admitted: true })
      expect(await begin(charge(1))).toMatchObject({ admitted: false, used: charge(100) })
    })

    it('sums the calls, tokens and charges since a moment', async () => {
      const world = await createWorld(opened())
      const { tenantId, agentId } = world
      const begin = async (userId: string, startedAt: Date) => {
        const scope = { tenantId, agentId, userId }
        const call = sampleCall(world, { scope, startedAt, reserved: charge(50, 7) })
        await world.as(userId, ({ modelCalls }) => modelCalls.begin(call))
        return call.id
      }
      const [old, first, second] = [
        await begin('ada', after(-1)),
        await begin('ada', NOW),
        await begin('', after(1)),
      ]
      await begin('bob', after(2))
      const finish = (id: string, tokens: number) =>
        world.as('ada', ({ modelCalls }) =>
          modelCalls.finish(id, {
            status: 'succeeded',
            usage: { inputTokens: tokens, outputTokens: 1 },
            charge: charge(tokens + 1, 5_000_000_000),
            finishedAt: after(10),
          }),
        )
      await finish(old, 1000)
      await finish(first, 3_000_000_000)
      await world.as('ada', ({ modelCalls }) =>
        modelCalls.finish(second, {
          status: 'failed',
          errorCode: 'model_failed',
          finishedAt: after(5),
        }),
      )
      const totals = await world.as('ada', ({ modelCalls }) => modelCalls.totals(NOW))
      expect(totals).toEqual({
        calls: 2,
        inputTokens: 3_000_000_000,
        outputTokens: 1,
        charged: charge(3_000_000_051, 5_000_000_007),
      })
      const all = await world.asEveryone(({ modelCalls }) => modelCalls.totals(NOW))
      expect(all).toMatchObject({ calls: 3, charged: charge(3_000_000_101, 5_000_000_014) })
      await expect(finish(generateId(), 1)).rejects.toSatisfy((error) =>
        NotFoundError.isInstance(error),
      )
    })

    describe('with a daily limit', () => {
      it.each([
        { what: 'tokens', limits: { tokens: 100 } },
        { what: 'cost', limits: { costNanoUsd: 1000 } },
        { what: 'both', limits: { tokens: 100, costNanoUsd: 1000 } },
      ])('of $what admits calls up to it, and records no other', async ({ limits }) => {
        const { begin, calls } = await setUp(opened(), limits)
        expect(await begin(charge(60, 600))).toMatchObject({ admitted: true })
        expect(await begin(charge(41, 410))).toEqual({
          id: expect.any(String) as string,
          admitted: false,
          used: charge(60, 600),
        })
        expect(await begin(charge(40, 400))).toMatchObject({ admitted: true })
        expect(await begin(charge(1, 1))).toMatchObject({
          admitted: false,
          used: charge(100, 1000),
        })
        expect(await begin(charge(0, 0))).toMatchObject({ admitted: true })
        expect(await calls()).toMatchObject({ calls: 3, charged: charge(100, 1000) })
      })

      it('gives back what a call did not need, and takes what it needed more', async () => {
        const { begin, finish } = await setUp(opened(), { tokens: 100 })
        const [cheap, dear, unknown] = [
          await begin(charge(30)),
          await begin(charge(30)),
          await begin(charge(30)),
        ]
        await finish(cheap.id, { status: 'failed', charge: charge(0) })
        await finish(dear.id, { charge: charge(45) })
        await finish(unknown.id, {})
        expect(await begin(charge(26))).toMatchObject({ admitted: false, used: charge(75) })
        expect(await begin(charge(25))).toMatchObject({ admitted: true })
      })

      it('corrects a call once, however often it is finished', async () => {
        const { begin, finish } = await setUp(opened(), { tokens: 100 })
        const { id } = await begin(charge(80))
        await finish(id, { charge: charge(50) })
        await finish(id, { charge: charge(50) })
        expect(await begin(charge(51))).toMatchObject({ admitted: false, used: charge(50) })
      })

      it('begins anew with each day in UTC, and charges a call to the day on which it began', async () => {
        const { begin, finish } = await setUp(opened(), { tokens: 100 })
        const lastMoment = new Date('2026-11-30T23:59:59.999Z')
        const midnight = new Date('2026-12-01T00:00:00.000Z')
        const late = await begin(charge(100), { startedAt: lastMoment })
        expect(await begin(charge(1), { startedAt: NOW })).toMatchObject({ admitted: false })
        expect(await begin(charge(90), { startedAt: midnight })).toMatchObject({ admitted: true })
        await finish(late.id, { charge: charge(0), finishedAt: after(DAY_MS) })
        expect(await begin(charge(100), { startedAt: lastMoment })).toMatchObject({
          admitted: true,
        })
        expect(await begin(charge(11), { startedAt: midnight })).toMatchObject({
          admitted: false,
          used: charge(90),
        })
      })

      it('counts what was charged before there was a limit, and what another process charges without one', async () => {
        const { world, begin, finish } = await setUp(opened(), { tokens: 100 })
        const free = async (tokens: number, startedAt = NOW) => {
          const call = sampleCall(world, { reserved: charge(tokens), startedAt })
          await world.as('ada', ({ modelCalls }) => modelCalls.begin(call))
          return call.id
        }
        await free(1000, after(-DAY_MS))
        const before = await free(70)
        expect(await begin(charge(31))).toMatchObject({ admitted: false, used: charge(70) })
        await free(20)
        await finish(before, { charge: charge(40) })
        expect(await begin(charge(41))).toMatchObject({ admitted: false, used: charge(60) })
        expect(await begin(charge(40))).toMatchObject({ admitted: true })
      })

      it('is one for all users of a tenant, and none for other tenants', async () => {
        const { world, begin } = await setUp(opened(), { tokens: 100 })
        const { tenantId, agentId } = world
        const scope = { tenantId, agentId, userId: 'bob' }
        await begin(charge(60))
        expect(await begin(charge(60), { scope })).toMatchObject({ admitted: false })
        const other = await setUp(opened(), { tokens: 100 })
        expect(await other.begin(charge(60))).toMatchObject({ admitted: true })
        const asUser = world.as('ada', ({ modelCalls }) =>
          modelCalls.begin(sampleCall(world), { tokens: 100 }),
        )
        await expect(asUser).rejects.toSatisfy((error) => ForbiddenError.isInstance(error))
      })

      it('is never exceeded, however many calls begin at once', async () => {
        const { begin, calls } = await setUp(opened(), { tokens: 1000, costNanoUsd: 900 })
        const admissions = await Promise.all(
          Array.from({ length: 40 }, () => begin(charge(70, 60))),
        )
        const admitted = admissions.filter((admission) => admission.admitted)
        expect(admitted).toHaveLength(14)
        expect(await calls()).toMatchObject({ calls: 14, charged: charge(980, 840) })
      })

      it('holds while calls begin and end at once in any order', async () => {
        const calls = fc.array(
          fc.record({
            reserved: fc.integer({ min: 0, max: 60 }),
            charged: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
          }),
          { minLength: 5, maxLength: 25 },
        )
        await fc.assert(
          fc.asyncProperty(calls, async (planned) => {
            const { begin, finish, calls: totals } = await setUp(opened(), { tokens: 200 })
            let expected = 0
            await Promise.all(
              planned.map(async ({ reserved, charged }) => {
                const { id, admitted } = await begin(charge(reserved))
                if (!admitted) return
                // Never more than reserved, so that the limit must hold.
                const final = charged === undefined ? undefined : Math.min(charged, reserved)
                await finish(id, final === undefined ? {} : { charge: charge(final) })
                expected += final ?? reserved
              }),
            )
            expect(expected).toBeLessThanOrEqual(200)
            expect((await totals()).charged.tokens).toBe(expected)
            // The day's own total says the same.
            const { admitted } = await begin(charge(201 - expected))
            expect(admitted).toBe(false)
            expect(await begin(charge(200 - expected))).toMatchObject({ admitted: true })
          }),
          { numRuns: 5 },
        )
      })
    })
  })
}
