/** A checked configuration; see `loadConfig`. */
export interface LoamConfig {
  /** Folder of what the installation keeps on disk, absolute. `LOAM_HOME`, default `./.loam`. */
  readonly home: string
  /** `LOAM_HOST`, default 127.0.0.1. */
  readonly host: string
  /** `LOAM_PORT`, default 7420; 0 picks a free one. */
  readonly port: number
  /** `LOAM_API_KEY`: the key to accept. Undefined: embedded, one is generated and kept in the folder. */
  readonly apiKey: string | undefined
  /** `LOAM_DATABASE_URL`, default `pglite:<home>/data`. */
  readonly databaseUrl: string
  /** `LOAM_MIGRATION_DATABASE_URL`: the owner's, when another than `databaseUrl`. */
  readonly migrationDatabaseUrl: string | undefined
  /** `LOAM_REDIS_URL`. Undefined: jobs run in process. */
  readonly redisUrl: string | undefined
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
  }
  /** `LOAM_LOG_LEVEL`, default `info`. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}
