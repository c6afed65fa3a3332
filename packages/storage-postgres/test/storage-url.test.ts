import { InvalidInputError } from '@loam/core'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseStorageUrl } from '../src/storage-url.js'

describe('parseStorageUrl', () => {
  it.each([
    ['postgres://a@b/c', { engine: 'postgres', url: 'postgres://a@b/c' }],
    ['postgresql://a@b/c', { engine: 'postgres', url: 'postgresql://a@b/c' }],
    ['pglite:memory', { engine: 'pglite' }],
    ['pglite:./data', { engine: 'pglite', folder: resolve('data') }],
    ['pglite:/var/lib/loam', { engine: 'pglite', folder: '/var/lib/loam' }],
  ])('reads %s', (url, location) => {
    expect(parseStorageUrl(url)).toEqual(location)
  })

  it.each(['', 'pglite:', 'mysql://root:hunter2@db/x', 'postgres:/x', './data'])(
    'refuses %j, without repeating it',
    (url) => {
      const parse = () => parseStorageUrl(url)
      expect(parse).toThrow(InvalidInputError)
      expect(parse).not.toThrow(/hunter2/)
    },
  )
})
