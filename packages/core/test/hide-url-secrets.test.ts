import { describe, expect, it } from 'vitest'
import { hideUrlSecrets, maskUrl } from '../src/index.js'

describe('maskUrl', () => {
  it.each([
    ['postgres://ana:hunter2@db:5432/loam', 'postgres://ana:****@db:5432/loam'],
    ['postgres://ana@db/loam?password=hunter2', 'postgres://ana@db/loam?****'],
    ['https://models.example/v1?token=hunter2#hunter2', 'https://models.example/v1?****'],
    ['https://hunter2@models.example/v1', 'https://****@models.example/v1'],
    ['redis://hunter2@cache', 'redis://****@cache'],
    ['pglite:/home/ana/.loam/data', 'pglite:/home/ana/.loam/data'],
    ['postgres://ana:hunter2@:x', 'postgres:**** (no valid URL)'],
    ['postgres:ana:hunter2@db', 'postgres:**** (no valid URL)'],
    ['postgres://ana:hunter2/loam', 'postgres:**** (no valid URL)'],
    ['hunter2', '**** (no valid URL)'],
  ])('makes %s into %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked)
  })
})

describe('hideUrlSecrets', () => {
  it.each([
    ['Invalid URL: postgres://ana:hunter2@db/loam', 'Invalid URL: postgres://ana:****@db/loam'],
    ['postgres://ana:hunt@er2/hunter2@db', 'postgres://ana:****@db'],
    ['postgres:ana:hunter2@db', 'postgres:ana:****@db'],
    ['"ana:hunter2@db": no', '"ana:****@db": no'],
    ['at https://hunter2@models.example.', 'at https://****@models.example.'],
    ['redis://:hunter2@cache says no', 'redis://:****@cache says no'],
  ])('takes the password out of %j', (text, safe) => {
    expect(hideUrlSecrets(text)).toBe(safe)
  })

  it.each([
    'connect ECONNREFUSED 127.0.0.1:5432',
    'postgres://ana@db/loam',
    'mail ana@example.com',
    '@loam/core cannot be found',
  ])('leaves %j as it is', (text) => {
    expect(hideUrlSecrets(text)).toBe(text)
  })

  it('takes no longer than a moment for a long text', () => {
    for (const long of ['a'.repeat(200_000), ':@'.repeat(50_000), 'a:'.repeat(100_000)]) {
      expect(hideUrlSecrets(`${long} @`).length).toBeGreaterThan(0)
    }
  })
})
