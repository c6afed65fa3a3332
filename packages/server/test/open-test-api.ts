import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogFields, Logger } from '@loam/core'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { createApi, type Api } from '../src/index.js'

/** An answer, read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests read answers of many shapes, and fail where one is not as they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What a request may have beside method and path. */
export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default: the key for every user of the default tenant; null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A line of the log. */
export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: LogFields
}

/** The application on a real runtime and an empty database in memory. */
export interface TestApi {
  readonly api: Api
  readonly runtime: Runtime
  readonly log: readonly LogLine[]
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** Makes a key, and its tenant if there is none, and returns its secret. */
  addKey(key: { readonly tenantId?: string; readonly userId?: string }): Promise<string>
  /** Makes an agent of a new name, open unless told otherwise, and returns the name. */
  addAgent(agent?: Readonly<Record<string, unknown>>): Promise<string>
  /** Stores settings of an agent as they are, such as those of an older version. */
  storeSettings(agent: string, settings: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

/** Opens a `TestApi`; more settings may be given, such as those of a model. */
export async function openTestApi(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApi> {
  const home = await mkdtemp(join(tmpdir(), 'loam-server-'))
  const adminKey = randomBytes(24).toString('hex')
  const database = { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory' }
  const env = { ...database, LOAM_API_KEY: adminKey, ...settings }
  const log: LogLine[] = []
  const storage = await createTestStorage()
  const logger = recordInto(log)
  const runtime = await createRuntime(loadConfig(env, { cwd: home }), { storage, logger })
  const api = createApi(runtime)
  let agents = 0

  async function send(method: string, path: string, options: RequestOptions = {}) {
    const { body, key = adminKey, headers } = options
    const response = await api.request(path, {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return readAnswer(response)
  }

  return {
    api,
    runtime,
    log,
    send,
    async addKey({ tenantId = DEFAULT_TENANT_ID, userId }) {
      const secret = randomBytes(24).toString('hex')
      const hash = createHash('sha256').update(secret).digest('hex')
      await runtime.storage.transaction({ tenantId, userId: '' }, async (stores) => {
        await stores.tenants.ensure({ slug: tenantId, name: tenantId })
        await stores.apiKeys.put({ id: runtime.generateId(), name: hash, hash, userId })
      })
      return secret
    },
    async addAgent(agent = {}) {
      agents += 1
      const key = `agent-${agents}`
      const { status } = await send('POST', '/v1/agents', { body: { key, ...agent } })
      if (status !== 201) throw new Error(`The agent was not made: ${status}`)
      return key
    },
    async storeSettings(agent, stored) {
      await runtime.storage.transaction(
        { tenantId: DEFAULT_TENANT_ID, userId: '' },
        async (stores) => {
          const { id = '' } = (await stores.agents.find(agent)) ?? {}
          await stores.agents.update(id, { settings: stored })
        },
      )
    },
    async close() {
      await runtime.close()
      await storage.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Reads an answer of JSON, or of nothing. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}

/** A path with each value percent-encoded: `` url`/v1/agents/${key}` ``. */
export function url(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent))
}

function recordInto(log: LogLine[]): Logger {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      log.push({ level, message, fields })
    }
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  }
  return logger
}
