import { loadConfig } from '@loam/runtime'
import { describe, expect, it } from 'vitest'
import { describeConfiguration, maskSecret } from '../../src/doctor/configuration.js'

describe('maskSecret', () => {
  it('shows nothing of a short secret, and the beginning of a long one', () => {
    expect(maskSecret('short-secret')).toBe('****')
    expect(maskSecret('loam_0123456789abcdef')).toBe('loam****')
  })
})

describe('describeConfiguration', () => {
  it('names every setting and no secret', () => {
    const config = loadConfig(
      {
        LOAM_API_KEY: 'secret-key-0123456789',
        LOAM_DATABASE_URL: 'postgres://ana:hunter2@db/loam',
        LOAM_MIGRATION_DATABASE_URL: 'postgres://owner:hunter3@db/loam',
        LOAM_REDIS_URL: 'redis://:hunter4@cache:6379',
        LOAM_MODEL_BASE_URL: 'https://models.example/v1',
        LOAM_MODEL_API_KEY: 'sk-hunter5-0123456789',
        LOAM_CHAT_MODEL: 'talker',
      },
      { cwd: '/home/ana' },
    )
    const findings = describeConfiguration(config)
    const text = JSON.stringify(findings)
    expect(text).not.toMatch(/hunter|0123456789/)
    expect(text).toContain('talker')
    expect(text).toContain('postgres://ana:****@db/loam')
    expect(text).toContain('LOAM_EMBEDDING_MODEL is not set: embeddings are computed locally')
  })

  it('says of what is not set what holds instead', () => {
    const unset = describeConfiguration(loadConfig({}, { cwd: '/home/ana' }))
      .map(({ detail }) => detail)
      .filter((detail) => detail.includes('is not set'))
    expect(unset.map((detail) => detail.split(' ')[0])).toEqual([
      'LOAM_REDIS_URL',
      'LOAM_API_KEY',
      'LOAM_MODEL_BASE_URL',
      'LOAM_CHAT_MODEL',
      'LOAM_EMBEDDING_MODEL',
    ])
  })
})
