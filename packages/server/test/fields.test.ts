import { describe, expect, it } from 'vitest'
import {
  agentReferenceSchema,
  instantSchema,
  jsonObjectSchema,
  pageFields,
  sessionKeySchema,
  textSchema,
  timezoneSchema,
  userIdSchema,
} from '../src/fields.js'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('sessionKeySchema', () => {
  it.each([
    'a',
    'a/b',
    '%',
    '?#&=+',
    ' ',
    '...',
    '..a',
    '😀'.repeat(250),
    'x'.repeat(500),
    'agent:a:cron:b',
  ])('accepts %j', (key) => {
    expect(accepts(sessionKeySchema, key)).toBe(true)
  })

  it.each(['', '.', '..', 'x'.repeat(501), '😀'.repeat(251), 'a\0b', '\uD800', 5, null])(
    'refuses %j',
    (key) => {
      expect(accepts(sessionKeySchema, key)).toBe(false)
    },
  )
})

describe('instantSchema', () => {
  it.each([
    ['2026-11-30T09:00:00Z', '2026-11-30T09:00:00.000Z'],
    ['2026-11-30T09:00:00.123456+05:30', '2026-11-30T03:30:00.123Z'],
    ['2024-02-29T00:00:00-08:00', '2024-02-29T08:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(instantSchema.parse(text).toISOString()).toBe(expected)
  })

  it.each([
    '2026-11-30T09:00:00',
    '2026-11-30',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-11-30T25:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    'yesterday',
    '',
    1_700_000_000,
  ])('refuses %j', (text) => {
    expect(accepts(instantSchema, text)).toBe(false)
  })
})

describe('timezoneSchema', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'])('accepts %s', (zone) => {
    expect(accepts(timezoneSchema, zone)).toBe(true)
  })

  it.each(['', 'Europe/Atlantis', 'CEST or so', '\0'])('refuses %j', (zone) => {
    expect(accepts(timezoneSchema, zone)).toBe(false)
  })
})

describe('userIdSchema', () => {
  it('accepts an empty one, which is the shared part', () => {
    expect(accepts(userIdSchema, '')).toBe(true)
  })

  it.each(['.', '..', 'x'.repeat(256), '😀'.repeat(128), 'a\0', '\uDC00', '\uFEFFa'])(
    'refuses %j',
    (userId) => {
      expect(accepts(userIdSchema, userId)).toBe(false)
    },
  )
})

describe('agentReferenceSchema', () => {
  it.each(['assistant', '0193a5b0-7000-7000-8000-000000000001', 'a.b_c-d'])(
    'accepts %s',
    (name) => {
      expect(accepts(agentReferenceSchema, name)).toBe(true)
    },
  )

  it.each(['', '.', 'a b', 'a:b', 'a/b', 'a\0', "' or true --", 'ä'])('refuses %j', (name) => {
    expect(accepts(agentReferenceSchema, name)).toBe(false)
  })
})

describe('textSchema', () => {
  it('cleans what cannot be stored', () => {
    expect(textSchema(10).parse('a\0b\uD800')).toBe('ab\uFFFD')
  })
})

describe('jsonObjectSchema', () => {
  it.each([[], 'x', 5, null, undefined])('refuses %j, which is no object', (value) => {
    expect(accepts(jsonObjectSchema, value)).toBe(false)
  })
})

describe('limit', () => {
  it.each([
    ['1', 1],
    ['200', 200],
    [undefined, 50],
  ])('reads %j', (text, expected) => {
    expect(pageFields.limit.parse(text)).toBe(expected)
  })

  it.each([
    '0',
    '201',
    '-1',
    '1.5',
    '',
    'all',
    '0x10',
    '0b11',
    ' 1e1',
    '1e1',
    ' 5',
    '+5',
    '٣',
    '9'.repeat(400),
    ['1', '2'],
  ])('refuses %j', (text) => {
    expect(accepts(pageFields.limit, text)).toBe(false)
  })
})
