import { InvalidInputError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toInvalidInput } from '../src/input-issues.js'

const schema = z.strictObject({
  name: z.string(),
  age: z.int().min(0).optional(),
  content: z
    .union([z.string(), z.array(z.strictObject({ text: z.string() })).max(2), z.null()])
    .optional(),
})

function issuesOf(input: unknown, of: z.ZodType = schema) {
  const { error } = of.safeParse(input)
  if (error === undefined) throw new Error('the input is valid')
  return toInvalidInput(error)
}

describe('toInvalidInput', () => {
  it.each([
    ['a missing field', {}, 'name', 'Is required'],
    ['an unknown field', { name: 'a', nmae: 'b' }, 'nmae', 'Unknown field'],
    ['a wrong type', { name: 5 }, 'name', 'Must be a text, and is a number'],
    ['a bound', { name: 'a', age: -1 }, 'age', 'Must be 0 or more'],
    [
      'no branch of a union',
      { name: 'a', content: 5 },
      'content',
      'Must be one of: a text, a list, null',
    ],
    [
      'the branch that was meant',
      { name: 'a', content: [{ txt: '' }] },
      'content.0.text',
      'Is required',
    ],
    [
      'a bound of the branch that was meant',
      { name: 'a', content: [{ text: '' }, { text: '' }, { text: '' }] },
      'content',
      'May hold 2 items at most',
    ],
  ])('names %s', (_what, input, path, message) => {
    expect(issuesOf(input).issues).toContainEqual({ path, message })
  })

  it.each([
    ['as the unknown field', schema],
    ['on the way to a fault', z.record(z.string(), z.string())],
  ])('cuts a name of ten megabytes %s', (_what, of) => {
    const error = issuesOf({ ['x'.repeat(10_000_000)]: 1 }, of)
    expect(error.issues.map(({ path }) => path)).toContain(`${'x'.repeat(100)}…`)
    expect(error.message.length).toBeLessThan(200)
  })

  it('cuts no character in half', () => {
    const error = issuesOf({ name: 'a', [`${'x'.repeat(99)}😀`]: 1 })
    expect(error.issues[0]?.path).toBe(`${'x'.repeat(99)}…`)
  })

  it('says that a union is missing, not what it might be', () => {
    const union = z.strictObject({ content: z.union([z.string(), z.null()]) })
    expect(issuesOf({}, union).issues).toStrictEqual([{ path: 'content', message: 'Is required' }])
  })

  it('tells the first fault and how many more there are', () => {
    const error = issuesOf({ nmae: 'b', aeg: 1 })
    expect(InvalidInputError.isInstance(error)).toBe(true)
    expect(error.message).toBe('name: Is required (and 2 more).')
  })

  it('lists no more than a thousand faults of a huge input, and their number', () => {
    const error = issuesOf(
      Array.from({ length: 5000 }, () => 'x'),
      z.array(z.number()),
    )
    expect(error.issues).toHaveLength(1000)
    expect(error.details['issueCount']).toBe(5000)
  })
})
