import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@loam/core'
import { checkVisibility } from '../../src/access/check-visibility.js'

describe('checkVisibility', () => {
  it.each([
    ['', 'private'],
    [' \t\n', 'private'],
    ['private', 'private'],
    ['internal', 'internal'],
    ['public', 'public'],
    [' Internal ', 'internal'],
    ['PUBLIC\n', 'public'],
  ])('reads %j as %s', (text, expected) => {
    expect(checkVisibility(text)).toBe(expected)
  })

  it.each(['team', 'pub', 'public,private', 'öffentlich', 'constructor', 'x'.repeat(100_000)])(
    'refuses %.20j, and says what would be right',
    (text) => {
      const refused = refusal(text)
      expect(refused.message).toContain('must be one of private, internal, public')
      expect(refused.message.length).toBeLessThan(300)
      expect(refused.issues).toMatchObject([{ path: 'visibility' }])
    },
  )
})

function refusal(text: string): InvalidInputError {
  try {
    checkVisibility(text)
  } catch (error) {
    if (InvalidInputError.isInstance(error)) return error
    throw error
  }
  throw new Error(`${text} was taken for a visibility.`)
}
