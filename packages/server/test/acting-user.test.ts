import { ForbiddenError, InvalidInputError } from '@loam/core'
import type { ApiKey } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import {
  accessOfList,
  accessOfOwner,
  actingUser,
  owningUser,
  requireEveryUser,
  userOrShared,
} from '../src/acting-user.js'

const tenantId = '0193a5b0-7000-7000-8000-000000000001'
const keyOf = (userId: string | undefined): ApiKey => ({
  id: '0193a5b0-7000-7000-8000-000000000002',
  tenantId,
  name: 'test',
  userId,
  createdAt: new Date(0),
})
const everybodys = keyOf(undefined)
const alices = keyOf('alice')

describe('actingUser', () => {
  it.each([
    [everybodys, 'bob', 'bob'],
    [everybodys, '', ''],
    [alices, 'alice', 'alice'],
    [alices, undefined, 'alice'],
  ])('is the user that the request or its key names', (key, requested, expected) => {
    expect(actingUser(key, requested)).toBe(expected)
  })

  it('asks for a user that nobody named', () => {
    expect(() => actingUser(everybodys, undefined)).toThrow(InvalidInputError)
  })

  it.each(['bob', '', 'Alice'])('keeps the key of alice from acting for "%s"', (userId) => {
    for (const choose of [actingUser, owningUser, userOrShared, accessOfOwner]) {
      expect(() => choose(alices, userId)).toThrow(ForbiddenError)
    }
    expect(() => accessOfList(alices, { userId })).toThrow(ForbiddenError)
  })
})

describe('owningUser', () => {
  it('never is nobody', () => {
    expect(() => owningUser(everybodys, '')).toThrow(InvalidInputError)
  })
})

describe('userOrShared', () => {
  it.each([
    [everybodys, undefined, ''],
    [everybodys, 'bob', 'bob'],
    [alices, undefined, 'alice'],
  ])('falls back to the shared part only for a key of every user', (key, requested, expected) => {
    expect(userOrShared(key, requested)).toBe(expected)
  })
})

describe('accessOfOwner', () => {
  it('sees everything of the tenant only with a key for every user that names none', () => {
    expect(accessOfOwner(everybodys, undefined)).toStrictEqual({ tenantId, everyUser: true })
    expect(accessOfOwner(everybodys, 'bob')).toStrictEqual({ tenantId, userId: 'bob' })
    expect(accessOfOwner(alices, undefined)).toStrictEqual({ tenantId, userId: 'alice' })
    expect(() => accessOfOwner(everybodys, '')).toThrow(InvalidInputError)
  })
})

describe('accessOfList', () => {
  it('lists everything only when told so', () => {
    expect(accessOfList(everybodys, { allUsers: 'true' })).toStrictEqual({
      tenantId,
      everyUser: true,
    })
    expect(accessOfList(everybodys, { userId: 'bob', allUsers: 'false' })).toStrictEqual({
      tenantId,
      userId: 'bob',
    })
    expect(accessOfList(alices, {})).toStrictEqual({ tenantId, userId: 'alice' })
  })

  it.each([[{}], [{ allUsers: 'false' }], [{ userId: '' }], [{ userId: 'bob', allUsers: 'true' }]])(
    'refuses %j as unclear',
    (query) => {
      expect(() => accessOfList(everybodys, query)).toThrow(InvalidInputError)
    },
  )

  it('names both ways when neither is taken', () => {
    expect(() => accessOfList(everybodys, {})).toThrow(/userId=.*allUsers=true/)
  })

  it('keeps a key of one user from listing everybody', () => {
    expect(() => accessOfList(alices, { allUsers: 'true' })).toThrow(ForbiddenError)
  })
})

describe('requireEveryUser', () => {
  it('refuses a key of one user', () => {
    expect(() => {
      requireEveryUser(alices, 'make agents')
    }).toThrow(ForbiddenError)
    expect(() => {
      requireEveryUser(everybodys, 'make agents')
    }).not.toThrow()
  })
})
