import { InvalidInputError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { asMomentCursor, checkLimit, readCursor, toPage, visibleOwners } from '../src/paging.js'

const place = ['2026-11-30T12:00:00.123Z', '0193a5b0-7000-7000-8000-000000000001'] as const

describe('toPage', () => {
  it('has a cursor when one more was found, and the cursor says where it ended', () => {
    const page = toPage([1, 2, 3], 2, (item) => [place[0], place[1], item])
    expect(page.items).toEqual([1, 2])
    expect(readCursor(page.nextCursor, asMomentCursor)).toEqual(place)
  })

  it('has no cursor at the end', () => {
    expect(toPage([1, 2], 2, () => [])).toEqual({ items: [1, 2] })
    expect(toPage([], 2, () => [])).toEqual({ items: [] })
  })
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('readCursor', () => {
  it.each([
    '',
    'nonsense',
    encode({}),
    encode([]),
    encode([1, 2]),
    encode(['2026', place[1]]),
    encode([place[0], 'x']),
    encode([place[0].replace('Z', `Z'); --`), place[1]]),
    encode(['9999-99-99T99:99:99.999Z', place[1]]),
    encode(['2026-02-30T00:00:00.000Z', place[1]]),
    encode(['0000-01-01T00:00:00.000Z', place[1]]),
  ])('refuses %j', (cursor) => {
    expect(() => readCursor(cursor, asMomentCursor)).toThrow(InvalidInputError)
  })
})

describe('readCursor, of a list of any order,', () => {
  it.each([
    [2_147_483_648],
    [-2_147_483_649],
    ['a\0'],
    ['a', '\uD800'],
    ['\uFEFF'],
    [null],
    [['a']],
  ])('refuses %j, which the database cannot compare', (...values) => {
    expect(() => readCursor(encode(values), (accepted) => accepted)).toThrow(
      'not one that this list returned',
    )
  })

  it.each([[2_147_483_647], ['a', ''], ['נ😀']])('passes %j on', (...values) => {
    expect(readCursor(encode(values), (accepted) => accepted)).toEqual(values)
  })
})

describe('checkLimit', () => {
  it.each([0, -1, 1.5, 201, Number.NaN])('refuses %d', (limit) => {
    expect(() => checkLimit(limit, 200)).toThrow(InvalidInputError)
  })
})

describe('visibleOwners', () => {
  it.each([
    [{ tenantId: 't', userId: 'ada' }, ['', 'ada']],
    [{ tenantId: 't', userId: '' }, ['']],
    [{ tenantId: 't', everyUser: true } as const, undefined],
  ])('of %j are %j', (access, owners) => {
    expect(visibleOwners(access)).toEqual(owners)
  })
})
