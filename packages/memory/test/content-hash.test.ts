import { describe, expect, it } from 'vitest'
import { contentHash } from '../src/content-hash.js'

describe('contentHash', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb924'],
    ['hello', '2cf24dba5fb0a30e26e83b2ac5b9e29e'],
  ])('hashes %j', (text, hash) => {
    expect(contentHash(text)).toBe(hash)
  })

  it('hashes the UTF-8 bytes, not the UTF-16 units', () => {
    expect(contentHash('日本語')).toBe('77710aedc74ecfa33685e33a6c7df5cc')
  })
})
