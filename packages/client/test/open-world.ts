import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@loam/core'
import { startModelServer, type ModelReply } from '@loam/models/testing'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { createClient, type ClientOptions, type LoamClient } from '../src/index.js'

/** A server over real HTTP on an empty database in memory, with a scripted model behind it. */
export interface World {
  readonly url: string
  readonly apiKey: string
  readonly runtime: Runtime
  readonly client: LoamClient
  /** A client of other options. */
  connect(options?: Partial<ClientOptions>): LoamClient
  /** From now on the model answers so. */
  answer(reply: () => ModelReply): void
  close(): Promise<void>
}

const silent = (): ModelReply => ({ status: 404 })

/** Opens a world; its model fails until it is told what to say. */
export async function openWorld(): Promise<World> {
  let reply = silent
  const model = await startModelServer({ chat: () => reply() })
  const home = await mkdtemp(join(tmpdir(), 'loam-client-'))
  const apiKey = randomBytes(24).toString('hex')
  const config = loadConfig(
    {
      LOAM_HOME: home,
      LOAM_DATABASE_URL: 'pglite:memory',
      LOAM_API_KEY: apiKey,
      LOAM_MODEL_BASE_URL: model.baseUrl,
      LOAM_CHAT_MODEL: 'scripted',
    },
    { cwd: home },
  )
  const storage = await createTestStorage()
  const runtime = await createRuntime(config, { storage, logger: silentLogger })
  await runtime.start()
  const server = await serveApi({ runtime, port: 0 })
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: server.url, apiKey, ...options })
  return {
    url: server.url,
    apiKey,
    runtime,
    client: connect(),
    connect,
    answer(next) {
      reply = next
    },
    async close() {
      await server.close()
      await runtime.close()
      await storage.close()
      await model.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
