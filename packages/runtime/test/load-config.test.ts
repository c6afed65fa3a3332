import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { CONFIG_VARIABLES, loadConfig } from '../src/load-config.js'

const cwd = join('/', 'srv', 'app')
const load = (env: Record<string, string | undefined>) => loadConfig(env, { cwd })

function faultsOf(env: Record<string, string | undefined>): ConfigurationError {
  try {
    load(env)
  } catch (error) {
    if (ConfigurationError.isInstance(error)) return error
    throw error
  }
  throw new Error('There was no fault.')
}

describe('loadConfig', () => {
  it('has defaults for everything', () => {
    expect(load({})).toEqual({
      home: join(cwd, '.loam'),
      host: '127.0.0.1',
      port: 7420,
      mcpAllowedHosts: [],
      corsOrigins: [],
      apiKey: undefined,
      databaseUrl: `pglite:${join(cwd, '.loam', 'data')}`,
      migrationDatabaseUrl: undefined,
      searchCacheMb: 256,
      redisUrl: undefined,
      queuePrefix: 'loam',
      workerConcurrency: 4,
      workerPort: 0,
      leaseMs: 30_000,
      drainMs: 10_000,
      skills: {
        workspace: undefined,
        personal: undefined,
        global: join(cwd, '.loam', 'skills'),
        copies: join(cwd, '.loam', 'skill-copies'),
        maxUploadMb: 20,
        slashCommands: {
          enabled: true,
          suggestNotFound: true,
          partialMatching: false,
          prefix: '/',
        },
      },
      model: {
        baseUrl: undefined,
        apiKey: undefined,
        chatModel: undefined,
        embeddingModel: undefined,
        embeddingDimensions: undefined,
        concurrency: 8,
        chatPrice: undefined,
        embeddingPrice: undefined,
        dailyTokenLimit: undefined,
        dailyCostLimitUsd: undefined,
      },
      logLevel: 'info',
      logFormat: undefined,
    })
  })

  it('reads every variable', () => {
    expect(
      load({
        LOAM_HOME: '/var/loam',
        LOAM_HOST: '0.0.0.0',
        LOAM_PORT: ' 8080 ',
        LOAM_MCP_ALLOWED_HOSTS: 'Loam.example.com, loam.internal',
        LOAM_CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
        LOAM_API_KEY: 'a-key-of-16-chars',
        LOAM_DATABASE_URL: 'postgres://app:pw@db/loam',
        LOAM_MIGRATION_DATABASE_URL: 'postgresql://owner:pw@db/loam',
        LOAM_SEARCH_CACHE_MB: '64',
        LOAM_REDIS_URL: 'redis://cache:6379',
        LOAM_QUEUE_PREFIX: 'staging',
        LOAM_WORKER_CONCURRENCY: '8',
        LOAM_WORKER_PORT: '7421',
        LOAM_LEASE_MS: '5000',
        LOAM_DRAIN_MS: '0',
        LOAM_SKILLS_WORKSPACE: 'work',
        LOAM_SKILLS_FOLDER: '/srv/skills',
        LOAM_DISABLE_PERSONAL_SKILLS: 'true',
        LOAM_SKILLS_MAX_UPLOAD_MB: '50',
        LOAM_SKILLS_SLASH_COMMANDS_ENABLED: 'no',
        LOAM_SKILLS_SLASH_COMMANDS_SUGGEST_NOT_FOUND: 'off',
        LOAM_SKILLS_SLASH_COMMANDS_PARTIAL_MATCHING: '1',
        LOAM_SKILLS_SLASH_COMMANDS_PREFIX: '!',
        LOAM_MODEL_BASE_URL: 'https://api.example.com/v1',
        LOAM_MODEL_API_KEY: 'sk-x',
        LOAM_CHAT_MODEL: 'small',
        LOAM_EMBEDDING_MODEL: 'embed',
        LOAM_EMBEDDING_DIMENSIONS: '768',
        LOAM_MODEL_CONCURRENCY: '2',
        LOAM_CHAT_PRICE: '2.5/10',
        LOAM_EMBEDDING_PRICE: '0.02',
        LOAM_DAILY_TOKEN_LIMIT: '5000000',
        LOAM_DAILY_COST_LIMIT_USD: '7.50',
        LOAM_LOG_LEVEL: 'debug',
        LOAM_LOG_FORMAT: 'text',
      }),
    ).toEqual({
      home: '/var/loam',
      host: '0.0.0.0',
      port: 8080,
      mcpAllowedHosts: ['loam.example.com', 'loam.internal'],
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      apiKey: 'a-key-of-16-chars',
      databaseUrl: 'postgres://app:pw@db/loam',
      migrationDatabaseUrl: 'postgresql://owner:pw@db/loam',
      searchCacheMb: 64,
      redisUrl: 'redis://cache:6379',
      queuePrefix: 'staging',
      workerConcurrency: 8,
      workerPort: 7421,
      leaseMs: 5_000,
      drainMs: 0,
      skills: {
        workspace: join(cwd, 'work'),
        personal: undefined,
        global: '/srv/skills',
        copies: undefined,
        maxUploadMb: 50,
        slashCommands: {
          enabled: false,
          suggestNotFound: false,
          partialMatching: true,
          prefix: '!',
        },
      },
      model: {
        baseUrl: 'https://api.example.com/v1',
        apiKey: 'sk-x',
        chatModel: 'small',
        embeddingModel: 'embed',
        embeddingDimensions: 768,
        concurrency: 2,
        chatPrice: { input: 2.5, output: 10 },
        embeddingPrice: 0.02,
        dailyTokenLimit: 5_000_000,
        dailyCostLimitUsd: 7.5,
      },
      logLevel: 'debug',
      logFormat: 'text',
    })
  })

  it.each([
    ['an embedded store', {}, join('/', 'home', 'ana', '.agents', 'skills')],
    ['an embedded store without them', { LOAM_DISABLE_PERSONAL_SKILLS: '1' }, undefined],
    [
      'a server, which others use',
      { LOAM_DATABASE_URL: 'postgres://db/loam', LOAM_API_KEY: 'a-key-of-16-chars' },
      undefined,
    ],
  ])('takes the skills of whoever runs it with %s as they are meant', (_, env, personal) => {
    const config = loadConfig(env, { cwd, userHome: join('/', 'home', 'ana') })
    expect(config.skills.personal).toBe(personal)
  })

  it('needs no key for a process that serves no API', () => {
    const env = { LOAM_DATABASE_URL: 'postgres://db/loam' }
    expect(loadConfig(env, { cwd, needsKey: false }).apiKey).toBeUndefined()
  })

  it.each([
    ['LOAM_DATABASE_URL', 'postgres://ana:hunt#er2@db/loam'],
    ['LOAM_DATABASE_URL', 'postgres://ana:hunter2%@db/loam'],
    ['LOAM_DATABASE_URL', 'postgres:ana:hunter2@db/loam'],
    ['LOAM_REDIS_URL', 'redis:hunter2@cache'],
    ['LOAM_REDIS_URL', 'redis://:hunter2%zz@cache'],
    ['LOAM_MODEL_BASE_URL', 'https://ana:hunter2@models/v1'],
    ['LOAM_HOST', 'postgres://ana:hunter2@db'],
    ['LOAM_HOST', 'postgres://ana:hunter2/loam'],
    ['LOAM_PORT', 'redis://hunter2@cache'],
    ['LOAM_LOG_LEVEL', 'ana:hunter2@db'],
  ])('repeats no password of a wrong %s', (name, value) => {
    const { message } = faultsOf({ [name]: value, LOAM_API_KEY: 'a-key-of-16-chars' })
    expect(message).toContain(name)
    expect(message).not.toContain('hunt')
  })

  it('returns what cannot be changed', () => {
    const config = load({})
    expect(Object.isFrozen(config) && Object.isFrozen(config.model)).toBe(true)
  })

  it('takes an empty variable as unset, and looks neither at LOAM_TEST_… nor at other names', () => {
    expect(
      load({ LOAM_PORT: '', LOAM_HOME: '  ', LOAM_TEST_DATABASE_URL: 'x', PORT: '1' }),
    ).toEqual(load({}))
  })

  it.each([
    [undefined, join(cwd, '.loam', 'data')],
    ['pglite:', join(cwd, '.loam', 'data')],
    ['pglite:store', join(cwd, 'store')],
    ['pglite:/var/store', '/var/store'],
    ['pglite:memory', 'memory'],
  ])('places the embedded store of %j at %j', (url, folder) => {
    expect(load({ LOAM_DATABASE_URL: url }).databaseUrl).toBe(`pglite:${folder}`)
  })

  it.each([
    [{ LOAM_PORT: '70000' }, ['LOAM_PORT']],
    [{ LOAM_PORT: '7e3' }, ['LOAM_PORT']],
    [{ LOAM_PORT: '-1' }, ['LOAM_PORT']],
    [{ LOAM_HOME: '~/loam' }, ['LOAM_HOME']],
    [{ LOAM_HOST: 'http://localhost' }, ['LOAM_HOST']],
    [{ LOAM_MCP_ALLOWED_HOSTS: 'https://loam.example.com' }, ['LOAM_MCP_ALLOWED_HOSTS']],
    [{ LOAM_MCP_ALLOWED_HOSTS: 'loam.example.com:443' }, ['LOAM_MCP_ALLOWED_HOSTS']],
    [{ LOAM_MCP_ALLOWED_HOSTS: '*' }, ['LOAM_MCP_ALLOWED_HOSTS']],
    [{ LOAM_CORS_ORIGINS: 'app.example.com' }, ['LOAM_CORS_ORIGINS']],
    [{ LOAM_CORS_ORIGINS: 'https://app.example.com/' }, ['LOAM_CORS_ORIGINS']],
    [{ LOAM_API_KEY: 'short' }, ['LOAM_API_KEY']],
    [{ LOAM_API_KEY: 'a key with blanks in it' }, ['LOAM_API_KEY']],
    [{ LOAM_DATABASE_URL: 'mysql://x' }, ['LOAM_DATABASE_URL', 'LOAM_API_KEY']],
    [{ LOAM_DATABASE_URL: 'postgres://db/loam' }, ['LOAM_API_KEY']],
    [{ LOAM_LOG_FORMAT: 'xml' }, ['LOAM_LOG_FORMAT']],
    [{ LOAM_MIGRATION_DATABASE_URL: 'postgres://db/loam' }, ['LOAM_MIGRATION_DATABASE_URL']],
    [
      {
        LOAM_REDIS_URL: 'localhost:6379',
        LOAM_DATABASE_URL: 'postgres://db/loam',
        LOAM_API_KEY: 'a-key-of-16-chars',
      },
      ['LOAM_REDIS_URL'],
    ],
    [{ LOAM_REDIS_URL: 'redis://localhost' }, ['LOAM_REDIS_URL']],
    [{ LOAM_QUEUE_PREFIX: 'a:b' }, ['LOAM_QUEUE_PREFIX']],
    [{ LOAM_WORKER_CONCURRENCY: '0' }, ['LOAM_WORKER_CONCURRENCY']],
    [{ LOAM_LEASE_MS: '10' }, ['LOAM_LEASE_MS']],
    [{ LOAM_MODEL_BASE_URL: 'localhost', LOAM_CHAT_MODEL: 'm' }, ['LOAM_MODEL_BASE_URL']],
    [{ LOAM_MODEL_BASE_URL: 'http://u:p@host/v1', LOAM_CHAT_MODEL: 'm' }, ['LOAM_MODEL_BASE_URL']],
    [{ LOAM_MODEL_BASE_URL: 'http://host/v1' }, ['LOAM_MODEL_BASE_URL']],
    [{ LOAM_CHAT_MODEL: 'm' }, ['LOAM_CHAT_MODEL']],
    [{ LOAM_EMBEDDING_MODEL: 'm' }, ['LOAM_EMBEDDING_MODEL']],
    [{ LOAM_MODEL_API_KEY: 'sk' }, ['LOAM_MODEL_API_KEY']],
    [{ LOAM_EMBEDDING_DIMENSIONS: '768' }, ['LOAM_EMBEDDING_DIMENSIONS']],
    [
      {
        LOAM_MODEL_BASE_URL: 'http://host/v1',
        LOAM_EMBEDDING_MODEL: 'm',
        LOAM_EMBEDDING_DIMENSIONS: '0',
      },
      ['LOAM_EMBEDDING_DIMENSIONS'],
    ],
    [{ LOAM_SKILLS_MAX_UPLOAD_MB: '501' }, ['LOAM_SKILLS_MAX_UPLOAD_MB']],
    [{ LOAM_DISABLE_PERSONAL_SKILLS: 'maybe' }, ['LOAM_DISABLE_PERSONAL_SKILLS']],
    [{ LOAM_SKILLS_SLASH_COMMANDS_PREFIX: '//' }, ['LOAM_SKILLS_SLASH_COMMANDS_PREFIX']],
    [{ LOAM_SKILLS_SLASH_COMMANDS_PREFIX: 'a' }, ['LOAM_SKILLS_SLASH_COMMANDS_PREFIX']],
    [{ LOAM_SKILLS_SLASH_COMMANDS_PREFIX: '→' }, ['LOAM_SKILLS_SLASH_COMMANDS_PREFIX']],
    [{ LOAM_LOG_LEVEL: 'verbose' }, ['LOAM_LOG_LEVEL']],
    [{ LOAM_MODEL_CONCURRENCY: '0' }, ['LOAM_MODEL_CONCURRENCY']],
    [{ LOAM_CHAT_PRICE: '2.5' }, ['LOAM_CHAT_PRICE']],
    [{ LOAM_CHAT_PRICE: '$2.5/$10' }, ['LOAM_CHAT_PRICE']],
    [{ LOAM_EMBEDDING_PRICE: '-1' }, ['LOAM_EMBEDDING_PRICE']],
    [{ LOAM_DAILY_TOKEN_LIMIT: '0' }, ['LOAM_DAILY_TOKEN_LIMIT']],
    [{ LOAM_DAILY_TOKEN_LIMIT: '1.5' }, ['LOAM_DAILY_TOKEN_LIMIT']],
    [{ LOAM_DAILY_COST_LIMIT_USD: '5 EUR', LOAM_CHAT_PRICE: '1/2' }, ['LOAM_DAILY_COST_LIMIT_USD']],
    [{ LOAM_DAILY_COST_LIMIT_USD: '0', LOAM_CHAT_PRICE: '1/2' }, ['LOAM_DAILY_COST_LIMIT_USD']],
    [{ LOAM_DAILY_COST_LIMIT_USD: '5' }, ['LOAM_DAILY_COST_LIMIT_USD']],
  ])('refuses %j for its faults at %j', (env, paths) => {
    expect(faultsOf(env).issues.map(({ path }) => path)).toEqual(paths)
  })

  const models = {
    LOAM_MODEL_BASE_URL: 'http://host/v1',
    LOAM_CHAT_MODEL: 'c',
    LOAM_EMBEDDING_MODEL: 'e',
  }

  it('asks for the price of each model whose cost is limited', () => {
    const limited = { ...models, LOAM_DAILY_COST_LIMIT_USD: '5' }
    const { message } = faultsOf(limited)
    expect(message).toContain('Set LOAM_CHAT_PRICE. Give US dollars for a million tokens')
    expect(message).toContain('Set LOAM_EMBEDDING_PRICE. Give US dollars for a million tokens')
    const priced = { ...limited, LOAM_CHAT_PRICE: '2.5/10', LOAM_EMBEDDING_PRICE: '0.02' }
    expect(load(priced).model.dailyCostLimitUsd).toBe(5)
    // A limit of tokens needs none.
    expect(load({ ...models, LOAM_DAILY_TOKEN_LIMIT: '1000' }).model.dailyTokenLimit).toBe(1000)
  })

  it('lists every fault at once, each with what would be right', () => {
    const { message, issues } = faultsOf({
      LOAM_PORT: 'http',
      LOAM_LOG_LEVEL: 'loud',
      LOAM_CHAT_MODEL: 'm',
      LOAM_COLOUR: 'red',
    })
    expect(issues).toHaveLength(4)
    expect(message).toContain('4 faults')
    expect(message).toContain('LOAM_PORT: "http": Give a whole number from 0 to 65535.')
    expect(message).toContain('debug, info, warn, error, silent')
  })

  it.each([
    ['LOAM_DATABSE_URL', 'LOAM_DATABASE_URL'],
    ['LOAM_APIKEY', 'LOAM_API_KEY'],
    ['LOAM_Port', 'LOAM_PORT'],
    ['LOAM_LOGLEVEL', 'LOAM_LOG_LEVEL'],
    ['LOAM_EMBEDDINGS_MODEL', 'LOAM_EMBEDDING_MODEL'],
    ['LOAM_POTR', 'LOAM_PORT'],
  ])('suggests for %s %s', (name, meant) => {
    expect(faultsOf({ [name]: 'x' }).message).toContain(`Did you mean ${meant}?`)
  })

  it('never repeats a key or a URL', () => {
    const { message, details } = faultsOf({
      LOAM_API_KEY: 'hush',
      LOAM_DATABASE_URL: 'psql://app:hush@db',
      LOAM_REDIS_URL: 'hush@cache',
      LOAM_MODEL_BASE_URL: 'http://me:hush@host',
      LOAM_SECRET: 'hush',
    })
    expect(message + JSON.stringify(details)).not.toContain('hush')
  })
})

describe('.env.example', () => {
  const example = readFileSync(join(import.meta.dirname, '..', '..', '..', '.env.example'), 'utf8')
  const lines = [...example.matchAll(/^# (LOAM_\w+)=(.*)$/gm)].map(([, name, value]) => ({
    name: name!,
    value: value!,
  }))

  it('names every variable once, and no other', () => {
    expect(lines.map(({ name }) => name).toSorted()).toEqual([...CONFIG_VARIABLES].toSorted())
  })

  it('shows the values that hold when nothing is set', () => {
    const shown = Object.fromEntries(lines.map(({ name, value }) => [name, value]))
    expect(load(shown)).toEqual(load({}))
    for (const name of ['LOAM_HOME', 'LOAM_HOST', 'LOAM_PORT', 'LOAM_LOG_LEVEL']) {
      expect(shown[name]).not.toBe('')
    }
  })

  it('sets nothing by itself', () => {
    expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })
})
