import { describe, expect, it } from 'vitest'
import { describeConfiguration, maskSecret, maskUrl } from '../../src/doctor/configuration.js'

describe('maskUrl', () => {
  it.each([
    ['postgres://ana:hunter2@db:5432/loam', 'postgres://ana:****@db:5432/loam'],
    ['https://models.example/v1?token=abc', 'https://models.example/v1?****'],
    ['pglite:/home/ana/.loam/data', 'pglite:/home/ana/.loam/data'],
    ['postgres://ana:hunter2@:x', '**** (no valid URL)'],
  ])('makes %s into %s', (url, masked) => {
    expect(maskUrl(url)).toBe(masked)
  })
})

describe('maskSecret', () => {
  it('shows nothing of a short secret, and the beginning of a long one', () => {
    expect(maskSecret('short-secret')).toBe('****')
    expect(maskSecret('loam_0123456789abcdef')).toBe('loam****')
  })
})

describe('describeConfiguration', () => {
  it('names every setting and no secret', () => {
    const findings = describeConfiguration({
      home: '/home/ana/.loam',
      host: '127.0.0.1',
      port: 7420,
      apiKey: 'secret-key-0123456789',
      databaseUrl: 'postgres://ana:hunter2@db/loam',
      migrationDatabaseUrl: 'postgres://owner:hunter3@db/loam',
      redisUrl: 'redis://:hunter4@cache:6379',
      model: {
        baseUrl: 'https://models.example/v1',
        apiKey: 'sk-hunter5-0123456789',
        chatModel: 'talker',
        embeddingModel: undefined,
        embeddingDimensions: undefined,
      },
      logLevel: 'info',
    })
    const text = JSON.stringify(findings)
    expect(text).not.toMatch(/hunter|0123456789/)
    expect(text).toContain('talker')
    expect(text).toContain('local, since LOAM_EMBEDDING_MODEL is not set')
  })
})
