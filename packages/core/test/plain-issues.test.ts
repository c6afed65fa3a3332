import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toInputIssues } from '../src/index.js'

function messageOf(schema: z.ZodType, input: unknown): string | undefined {
  const { error } = schema.safeParse(input)
  return error && toInputIssues(error)[0]?.message
}

describe('toInputIssues', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'Is required'],
    [z.string(), 5, 'Must be a text, and is a number'],
    [z.string(), null, 'Must be a text, and is null'],
    [z.number(), 'x', 'Must be a number, and is a text'],
    [z.number(), Number.NaN, 'Must be a number, and is no number'],
    [z.int(), 1.5, 'Must be a whole number, and is a number'],
    [z.boolean(), [], 'Must be true or false, and is a list'],
    [z.array(z.string()), {}, 'Must be a list, and is an object'],
    [z.object({}), 'x', 'Must be an object, and is a text'],
    [z.record(z.string(), z.string()), 1, 'Must be an object, and is a number'],
    [z.enum(['a', 'b']), 'c', 'Must be one of: "a", "b"'],
    [z.literal('a'), 'c', 'Must be "a"'],
    [z.string().min(1), '', 'May not be empty'],
    [z.string().min(3), 'a', 'Must have 3 characters or more'],
    [z.string().max(3), 'abcd', 'May have 3 characters at most'],
    [z.array(z.string()).min(1), [], 'May not be empty'],
    [z.array(z.string()).min(2), ['a'], 'Must hold 2 items or more'],
    [z.array(z.string()).max(1), ['a', 'b'], 'May hold 1 item at most'],
    [z.number().min(2), 1, 'Must be 2 or more'],
    [z.number().positive(), 0, 'Must be more than 0'],
    [z.number().max(2), 3, 'Must be 2 or less'],
    [z.number().lt(2), 2, 'Must be less than 2'],
    [z.number().multipleOf(2), 3, 'Must be a multiple of 2'],
    [z.uuid(), 'x', 'Must be a UUID'],
    [z.iso.datetime(), 'x', 'Must be a moment in ISO 8601, such as 2026-11-30T09:00:00Z'],
    [z.string().regex(/^a$/), 'b', 'Has another form than is asked for'],
    [z.email(), 'x', 'Must be a valid email'],
    [z.string().regex(/^a$/, 'Must be an a'), 'b', 'Must be an a'],
    [z.union([z.string(), z.number()]), true, 'Must be one of: a text, a number'],
    [z.union([z.string(), z.null()], 'Must be text'), 1, 'Must be text'],
    [z.strictObject({}), { a: 1 }, 'Unknown field'],
    [z.custom(() => false), 1, 'Is not valid'],
  ])('says in plain words what is wrong: %#', (schema, input, message) => {
    expect(messageOf(schema, input)).toBe(message)
  })
})
