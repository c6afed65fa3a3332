import { expect, it } from 'vitest'
import { fixedClock, generateId, scopeSchema } from '../src/index.js'

it('makes ids that sort by the time they were made', () => {
  const ids = Array.from({ length: 1000 }, () => generateId())
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(1000)
})

it('moves a fixed clock only when told to', () => {
  const clock = fixedClock('2026-11-30T12:00:00Z')
  expect(clock.now()).toEqual(clock.now())
  clock.advance(1500)
  expect(clock.now().toISOString()).toBe('2026-11-30T12:00:01.500Z')
})

it('refuses a scope without a tenant', () => {
  expect(scopeSchema.safeParse({ tenantId: '', agentId: generateId(), userId: '' }).success).toBe(
    false,
  )
})
