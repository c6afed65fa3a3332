import { describe, expect, it } from 'vitest'
import { hidePassword, readRedisUrl } from '../src/redis-address.js'

describe('readRedisUrl', () => {
  it.each([
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
    ['redis://10.0.0.1:7000/3', { host: '10.0.0.1', port: 7000, db: 3 }],
    ['redis://[::1]:6379/', { host: '::1', port: 6379, db: 0 }],
    ['redis://:secret@host', { host: 'host', port: 6379, password: 'secret', db: 0 }],
    [
      'redis://us%40er:p%3Aw%2F@host',
      { host: 'host', port: 6379, username: 'us@er', password: 'p:w/', db: 0 },
    ],
    ['rediss://host', { host: 'host', port: 6379, db: 0, tls: {} }],
  ])('reads %s', (url, address) => {
    expect(readRedisUrl(url)).toEqual(address)
  })

  it.each([
    '',
    'localhost:6379',
    'http://host',
    'redis://',
    'redis://host/a',
    'redis://host/1/2',
    'redis://host:99999',
    'redis://host?maxRetriesPerRequest=1',
    'redis://host#a',
    'redis://:%E0%A4%A@host',
  ])('refuses "%s"', (url) => {
    expect(readRedisUrl(url)).toBeUndefined()
  })
})

describe('hidePassword', () => {
  const address = { host: 'host', port: 1, db: 0 }

  it('cuts the password out, wherever it stands', () => {
    const text = "ERR unknown command 'AUTH', with args beginning with: 'me' 'sesame' sesame"
    const shown = hidePassword(text, { ...address, password: 'sesame' })
    expect(shown).toBe("ERR unknown command 'AUTH', with args beginning with: 'me' '***' ***")
  })

  it('leaves the text alone if there is no password', () => {
    expect(hidePassword('text', address)).toBe('text')
  })
})
