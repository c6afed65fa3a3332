import { isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError, hideUrlSecrets, maskUrl, type InputIssue } from '@loam/core'
import { readSlashCommandSettings, slashSettingsFromEnvironment } from '@loam/skills'
import { z } from 'zod'
import { closestName } from './closest-name.js'
import type { LoamConfig } from './config.js'
import { SLASH_PREFIX, SLASH_PREFIX_IN_WORDS } from './slash-prefix.js'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
const LOG_FORMATS = ['json', 'text'] as const

/** What a key is made of: what a header carries as it is. */
export const API_KEY = /^[\x21-\x7E]{16,512}$/

const httpUrl =
  'Give the address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.'

const ESCAPED = 'In a password write # as %23, / as %2F, @ as %40 and % as %25.'

const PRICE = /^\d{1,6}(?:\.\d{1,6})?$/
const CHAT_PRICE = /^\d{1,6}(?:\.\d{1,6})?\/\d{1,6}(?:\.\d{1,6})?$/
const chatPrice = 'Give US dollars for a million tokens of input and of output, such as 2.5/10.'
const embeddingPrice = 'Give US dollars for a million tokens, such as 0.02.'

const truth = z.string().regex(/^(?:1|0|true|false|yes|no|on|off)$/i, 'Give true or false.')

const environmentSchema = z.object({
  LOAM_HOME: z
    .string()
    .refine((path) => !path.startsWith('~'), 'Write the folder out; "~" is not expanded here.')
    .default('./.loam'),
  LOAM_HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'Give an address or a name without port or scheme, such as 127.0.0.1.')
    .default('127.0.0.1'),
  LOAM_PORT: integer(0, 65_535).default(7420),
  LOAM_MCP_ALLOWED_HOSTS: z
    .string()
    .regex(
      /^[a-z\d.-]{1,253}(?:\s*,\s*[a-z\d.-]{1,253})*$/i,
      'Give names without port or scheme, with commas between them, such as loam.example.com.',
    )
    .transform((names) => names.toLowerCase().split(/\s*,\s*/))
    .default([]),
  LOAM_CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(/\s*,\s*/))
    .refine(
      (origins) => origins.every(isOrigin),
      'Give origins with commas between them, such as https://app.example.com, or * for every page.',
    )
    .default([]),
  LOAM_API_KEY: z
    .string()
    .regex(API_KEY, 'Give 16 to 512 printable ASCII characters without blanks.')
    .optional(),
  LOAM_DATABASE_URL: z
    .string()
    .refine(
      (url) => url.startsWith('pglite:') || isServerUrl(url, ['postgres:', 'postgresql:']),
      `Give postgres://user:password@host:port/database, pglite:<folder> or pglite:memory. ${ESCAPED}`,
    )
    .optional(),
  LOAM_MIGRATION_DATABASE_URL: z
    .string()
    .refine(
      (url) => isServerUrl(url, ['postgres:', 'postgresql:']),
      `Give postgres://user:password@host:port/database. ${ESCAPED}`,
    )
    .optional(),
  LOAM_REDIS_URL: z
    .string()
    .refine(
      (url) => isServerUrl(url, ['redis:', 'rediss:']),
      `Give redis://user:password@host:port. ${ESCAPED}`,
    )
    .optional(),
  LOAM_SEARCH_CACHE_MB: integer(0, 999_999).default(256),
  LOAM_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'Give up to 100 letters, digits, dots, dashes and underscores.')
    .default('loam'),
  LOAM_WORKER_CONCURRENCY: integer(1, 1_000).default(4),
  LOAM_WORKER_PORT: integer(0, 65_535).default(0),
  LOAM_LEASE_MS: integer(1_000, 999_999).default(30_000),
  LOAM_DRAIN_MS: integer(0, 999_999).default(10_000),
  LOAM_SKILLS_WORKSPACE: z.string().optional(),
  LOAM_SKILLS_FOLDER: z.string().optional(),
  LOAM_DISABLE_PERSONAL_SKILLS: truth.optional(),
  LOAM_SKILLS_MAX_UPLOAD_MB: integer(1, 500).default(20),
  LOAM_SKILLS_SLASH_COMMANDS_ENABLED: truth.optional(),
  LOAM_SKILLS_SLASH_COMMANDS_SUGGEST_NOT_FOUND: truth.optional(),
  LOAM_SKILLS_SLASH_COMMANDS_PARTIAL_MATCHING: truth.optional(),
  LOAM_SKILLS_SLASH_COMMANDS_PREFIX: z
    .string()
    .regex(SLASH_PREFIX, `Give ${SLASH_PREFIX_IN_WORDS}.`)
    .optional(),
  LOAM_MODEL_BASE_URL: z
    .string()
    .refine((url) => isUrl(url, ['http:', 'https:']), httpUrl)
    .refine(
      (url) => !hasCredentials(url),
      'Leave user and password out of it, and set LOAM_MODEL_API_KEY.',
    )
    .optional(),
  LOAM_MODEL_API_KEY: z.string().optional(),
  LOAM_CHAT_MODEL: z.string().max(500).optional(),
  LOAM_EMBEDDING_MODEL: z.string().max(500).optional(),
  LOAM_EMBEDDING_DIMENSIONS: integer(1, 16_000).optional(),
  LOAM_MODEL_CONCURRENCY: integer(1, 1_000).default(8),
  LOAM_CHAT_PRICE: z.string().regex(CHAT_PRICE, chatPrice).transform(toChatPrice).optional(),
  LOAM_EMBEDDING_PRICE: z.string().regex(PRICE, embeddingPrice).transform(Number).optional(),
  LOAM_DAILY_TOKEN_LIMIT: z
    .string()
    .regex(/^0*[1-9]\d{0,14}$/, 'Give a whole number of tokens from 1 on.')
    .transform(Number)
    .optional(),
  LOAM_DAILY_COST_LIMIT_USD: z
    .string()
    .refine(
      (text) => PRICE.test(text) && Number(text) > 0,
      'Give an amount of US dollars above 0, such as 5 or 0.5.',
    )
    .transform(Number)
    .optional(),
  LOAM_LOG_LEVEL: z.enum(LOG_LEVELS, `Give one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  LOAM_LOG_FORMAT: z.enum(LOG_FORMATS, `Give one of ${LOG_FORMATS.join(', ')}.`).optional(),
})

/** The variables that `loadConfig` reads. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(environmentSchema.shape)

/** Their values may hold a secret and are not repeated in a message. */
const SECRET = /_KEY$|_URL$/

/** A value in a message: a URL may have been pasted into any variable. */
function shown(value = ''): string {
  return value.includes('://') ? maskUrl(value) : hideUrlSecrets(value)
}

/** What a process gives to `loadConfig` besides its environment. */
export interface LoadConfigOptions {
  /** Folder that relative paths begin at. */
  readonly cwd: string
  /** Home folder of whoever runs the process, whose own skills an embedded installation has, too. Default: they are left alone. */
  readonly userHome?: string | undefined
  /** Whether the process serves the API or speaks to it, and so has to know its key. Default true. */
  readonly needsKey?: boolean | undefined
}

/**
 * Reads the configuration from an environment. An empty variable counts as unset; `LOAM_TEST_…` are not looked at.
 *
 * @throws ConfigurationError that names every fault, without the value of any key or URL.
 * @example
 * const config = loadConfig(process.env, { cwd: process.cwd() })
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  { cwd, userHome, needsKey = true }: LoadConfigOptions,
): LoamConfig {
  const given = Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name.startsWith('LOAM_') && !name.startsWith('LOAM_TEST_'))
      .map(([name, value]) => [name, value?.trim() ?? ''])
      .filter(([, value]) => value !== ''),
  ) as Readonly<Record<string, string>>
  const parsed = environmentSchema.safeParse(given)
  const issues = [
    ...unknownNames(given),
    ...(parsed.error?.issues.map(({ path, message }) => {
      const name = String(path[0])
      return {
        path: name,
        message: SECRET.test(name) ? message : `"${shown(given[name])}": ${message}`,
      }
    }) ?? []),
    ...faultyCombinations(given, { needsKey }),
  ]
  if (!parsed.success || issues.length > 0) {
    const list = issues.map(({ path, message }) => `\n- ${path}: ${message}`).join('')
    throw new ConfigurationError({
      message: `The configuration has ${issues.length === 1 ? 'a fault' : `${issues.length} faults`}:${list}`,
      issues,
    })
  }
  const values = parsed.data
  const home = resolve(cwd, values.LOAM_HOME)
  const url = databaseUrl(values.LOAM_DATABASE_URL, { cwd, home })
  const embedded = isEmbedded(url)
  const withPersonal =
    embedded && userHome !== undefined && !TRUE.test(values.LOAM_DISABLE_PERSONAL_SKILLS ?? '')
  return Object.freeze({
    home,
    host: values.LOAM_HOST,
    port: values.LOAM_PORT,
    mcpAllowedHosts: Object.freeze(values.LOAM_MCP_ALLOWED_HOSTS),
    corsOrigins: Object.freeze(values.LOAM_CORS_ORIGINS),
    apiKey: values.LOAM_API_KEY,
    databaseUrl: url,
    migrationDatabaseUrl: values.LOAM_MIGRATION_DATABASE_URL,
    searchCacheMb: values.LOAM_SEARCH_CACHE_MB,
    redisUrl: values.LOAM_REDIS_URL,
    queuePrefix: values.LOAM_QUEUE_PREFIX,
    workerConcurrency: values.LOAM_WORKER_CONCURRENCY,
    workerPort: values.LOAM_WORKER_PORT,
    leaseMs: values.LOAM_LEASE_MS,
    drainMs: values.LOAM_DRAIN_MS,
    skills: Object.freeze({
      workspace: values.LOAM_SKILLS_WORKSPACE && resolve(cwd, values.LOAM_SKILLS_WORKSPACE),
      personal: withPersonal ? join(userHome, '.agents', 'skills') : undefined,
      global: values.LOAM_SKILLS_FOLDER
        ? resolve(cwd, values.LOAM_SKILLS_FOLDER)
        : join(home, 'skills'),
      copies: embedded ? join(home, 'skill-copies') : undefined,
      maxUploadMb: values.LOAM_SKILLS_MAX_UPLOAD_MB,
      slashCommands: Object.freeze(readSlashCommandSettings(slashSettingsFromEnvironment(given))),
    }),
    model: Object.freeze({
      baseUrl: values.LOAM_MODEL_BASE_URL,
      apiKey: values.LOAM_MODEL_API_KEY,
      chatModel: values.LOAM_CHAT_MODEL,
      embeddingModel: values.LOAM_EMBEDDING_MODEL,
      embeddingDimensions: values.LOAM_EMBEDDING_DIMENSIONS,
      concurrency: values.LOAM_MODEL_CONCURRENCY,
      chatPrice: values.LOAM_CHAT_PRICE,
      embeddingPrice: values.LOAM_EMBEDDING_PRICE,
      dailyTokenLimit: values.LOAM_DAILY_TOKEN_LIMIT,
      dailyCostLimitUsd: values.LOAM_DAILY_COST_LIMIT_USD,
    }),
    logLevel: values.LOAM_LOG_LEVEL,
    logFormat: values.LOAM_LOG_FORMAT,
  })
}

const TRUE = /^(?:1|true|yes|on)$/i

function integer(minimum: number, maximum: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,6}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
      `Give a whole number from ${minimum} to ${maximum}.`,
    )
    .transform(Number)
}

function toChatPrice(text: string): { readonly input: number; readonly output: number } {
  const [input = 0, output = 0] = text.split('/').map(Number)
  return { input, output }
}

/** An origin as a browser names it: scheme, host and port, and nothing behind them. */
function isOrigin(text: string): boolean {
  return text === '*' || (isUrl(text, ['http:', 'https:']) && new URL(text).origin === text)
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

/** Whether the drivers can read it too: they decode user and password, and take no `scheme:name` without slashes. */
function isServerUrl(text: string, protocols: readonly string[]): boolean {
  if (!isUrl(text, protocols) || !/^[a-z]+:\/\//i.test(text)) return false
  const { username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

/** Whether a database URL names a store that lives in this process. */
export function isEmbedded(url: string): boolean {
  return url.startsWith('pglite:')
}

function databaseUrl(
  given: string | undefined,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  if (given === undefined || given === 'pglite:') return `pglite:${join(home, 'data')}`
  if (!isEmbedded(given) || given === 'pglite:memory') return given
  const folder = given.slice('pglite:'.length)
  return `pglite:${isAbsolute(folder) ? folder : resolve(cwd, folder)}`
}

function unknownNames(given: Readonly<Record<string, string>>): InputIssue[] {
  return Object.keys(given)
    .filter((name) => !CONFIG_VARIABLES.includes(name))
    .map((name) => {
      const meant = closestName(name, CONFIG_VARIABLES)
      return {
        path: name,
        message: meant
          ? `There is no such setting. Did you mean ${meant}?`
          : `There is no such setting. There are ${CONFIG_VARIABLES.join(', ')}.`,
      }
    })
}

/** Settings that are right by themselves, and wrong together. */
function faultyCombinations(
  given: Readonly<Record<string, string>>,
  { needsKey }: { readonly needsKey: boolean },
): InputIssue[] {
  const issues: InputIssue[] = []
  const has = (name: keyof typeof environmentSchema.shape): boolean => given[name] !== undefined
  const fault = (path: string, message: string): void => {
    issues.push({ path, message })
  }
  const embedded = isEmbedded(given['LOAM_DATABASE_URL'] ?? 'pglite:')
  if (needsKey && !embedded && !has('LOAM_API_KEY')) {
    fault(
      'LOAM_API_KEY',
      'Set the key to accept. With a database server none is generated, since several processes must agree on it.',
    )
  }
  if (embedded && has('LOAM_MIGRATION_DATABASE_URL')) {
    fault(
      'LOAM_MIGRATION_DATABASE_URL',
      'Set LOAM_DATABASE_URL to a database server too, or leave this out.',
    )
  }
  if (embedded && has('LOAM_REDIS_URL')) {
    fault(
      'LOAM_REDIS_URL',
      'Set LOAM_DATABASE_URL to a database server too, or leave this out: jobs of an embedded store run in its own process.',
    )
  }
  for (const name of ['LOAM_CHAT_MODEL', 'LOAM_EMBEDDING_MODEL', 'LOAM_MODEL_API_KEY'] as const) {
    if (has(name) && !has('LOAM_MODEL_BASE_URL')) {
      fault(name, `Set LOAM_MODEL_BASE_URL too. ${httpUrl}`)
    }
  }
  if (has('LOAM_MODEL_BASE_URL') && !has('LOAM_CHAT_MODEL') && !has('LOAM_EMBEDDING_MODEL')) {
    fault(
      'LOAM_MODEL_BASE_URL',
      'Say which model to use there: set LOAM_CHAT_MODEL, LOAM_EMBEDDING_MODEL or both.',
    )
  }
  if (has('LOAM_EMBEDDING_DIMENSIONS') && !has('LOAM_EMBEDDING_MODEL')) {
    fault('LOAM_EMBEDDING_DIMENSIONS', 'Set LOAM_EMBEDDING_MODEL too, or leave this out.')
  }
  if (has('LOAM_DAILY_COST_LIMIT_USD')) {
    // Without a price everything would seem to be free.
    const unpriced = [
      has('LOAM_CHAT_MODEL') && !has('LOAM_CHAT_PRICE') && `LOAM_CHAT_PRICE. ${chatPrice}`,
      has('LOAM_EMBEDDING_MODEL') &&
        !has('LOAM_EMBEDDING_PRICE') &&
        `LOAM_EMBEDDING_PRICE. ${embeddingPrice}`,
      !has('LOAM_MODEL_BASE_URL') &&
        !has('LOAM_CHAT_PRICE') &&
        !has('LOAM_EMBEDDING_PRICE') &&
        'LOAM_CHAT_PRICE or LOAM_EMBEDDING_PRICE, or leave this out: nothing here costs anything.',
    ]
    for (const cure of unpriced) if (cure) fault('LOAM_DAILY_COST_LIMIT_USD', `Set ${cure}`)
  }
  return issues
}
