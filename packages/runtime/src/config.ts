import type { SlashCommandSettings } from '@loam/skills'

/** A checked configuration; see `loadConfig`. */
export interface LoamConfig {
  /** Folder of what the installation keeps on disk, absolute. `LOAM_HOME`, default `./.loam`. */
  readonly home: string
  /** `LOAM_HOST`, default 127.0.0.1. */
  readonly host: string
  /** `LOAM_PORT`, default 7420; 0 picks a free one. */
  readonly port: number
  /** `LOAM_MCP_ALLOWED_HOSTS`: names by which `/mcp` may be asked for, and from whose pages, beside those of this machine. */
  readonly mcpAllowedHosts: readonly string[]
  /** `LOAM_CORS_ORIGINS`: whose pages may use the API from a browser; `*` stands for all. Default: none. */
  readonly corsOrigins: readonly string[]
  /** `LOAM_API_KEY`: the key to accept. Undefined: embedded, one is generated and kept in the folder. */
  readonly apiKey: string | undefined
  /** `LOAM_DATABASE_URL`, default `pglite:<home>/data`. */
  readonly databaseUrl: string
  /** `LOAM_MIGRATION_DATABASE_URL`: the owner's, when another than `databaseUrl`. */
  readonly migrationDatabaseUrl: string | undefined
  /** `LOAM_SEARCH_CACHE_MB`, default 256: most megabytes of what was searched last that a process keeps in memory; 0 keeps none. */
  readonly searchCacheMb: number
  /** `LOAM_REDIS_URL`: carries jobs from the API to the workers. Undefined: jobs run in the process that serves the API. */
  readonly redisUrl: string | undefined
  /** `LOAM_QUEUE_PREFIX`, default `loam`: tells installations apart that share a Redis. */
  readonly queuePrefix: string
  /** `LOAM_WORKER_CONCURRENCY`, default 4: jobs of each consumer that one process does at once. */
  readonly workerConcurrency: number
  /** `LOAM_WORKER_PORT`, default 0 (a free one): where a worker answers health checks, at `host`. */
  readonly workerPort: number
  /** `LOAM_LEASE_MS`, default 30,000: after how long without a sign of life a job is given to another process. */
  readonly leaseMs: number
  /** `LOAM_DRAIN_MS`, default 10,000: how long a process that is told to stop waits for the jobs in hand. */
  readonly drainMs: number
  readonly skills: {
    /** `LOAM_SKILLS_WORKSPACE`: folder whose `skills` and `.agents/skills` come first. Undefined: none. */
    readonly workspace: string | undefined
    /** `~/.agents/skills` of whoever runs an embedded installation; off by `LOAM_DISABLE_PERSONAL_SKILLS`, and with a server. */
    readonly personal: string | undefined
    /** `LOAM_SKILLS_FOLDER`, default `<home>/skills`: the operator's skills, for all tenants. */
    readonly global: string
    /** Where an embedded installation keeps copies of stored skills, so that a model on this machine can read them. */
    readonly copies: string | undefined
    /** `LOAM_SKILLS_MAX_UPLOAD_MB`, default 20, at most 500: how large an archive may be, unless a tenant sets it. */
    readonly maxUploadMb: number
    /** `LOAM_SKILLS_SLASH_COMMANDS_ENABLED`, `…_SUGGEST_NOT_FOUND`, `…_PARTIAL_MATCHING`, `…_PREFIX`, unless a tenant sets them. */
    readonly slashCommands: SlashCommandSettings
  }
  readonly model: {
    /** `LOAM_MODEL_BASE_URL`: an OpenAI-compatible endpoint. */
    readonly baseUrl: string | undefined
    /** `LOAM_MODEL_API_KEY` */
    readonly apiKey: string | undefined
    /** `LOAM_CHAT_MODEL`. Undefined: summaries are made by rules. */
    readonly chatModel: string | undefined
    /** `LOAM_EMBEDDING_MODEL`. Undefined: local embeddings. */
    readonly embeddingModel: string | undefined
    /** `LOAM_EMBEDDING_DIMENSIONS` */
    readonly embeddingDimensions: number | undefined
    /** `LOAM_MODEL_CONCURRENCY`, default 8: requests to each of the two models that one process sends at once. */
    readonly concurrency: number
    /** `LOAM_CHAT_PRICE`: US dollars for a million tokens. Undefined: calls are counted, not priced. */
    readonly chatPrice: { readonly input: number; readonly output: number } | undefined
    /** `LOAM_EMBEDDING_PRICE`: US dollars for a million tokens. */
    readonly embeddingPrice: number | undefined
    /** `LOAM_DAILY_TOKEN_LIMIT`: tokens that the model calls of each tenant may use in a day, in UTC. Undefined: no limit. */
    readonly dailyTokenLimit: number | undefined
    /** `LOAM_DAILY_COST_LIMIT_USD`: what they may cost. Undefined: no limit. */
    readonly dailyCostLimitUsd: number | undefined
  }
  /** `LOAM_LOG_LEVEL`, default `info`. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `LOAM_LOG_FORMAT`. Undefined: what suits the process, JSON for one that runs unattended, text for a command. */
  readonly logFormat: 'json' | 'text' | undefined
}
