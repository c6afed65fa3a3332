import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createClient, type LoamClient } from '@loam/client'
import { silentLogger } from '@loam/core'
import { startModelServer, type ModelReply } from '@loam/models/testing'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'

/** What the model is asked, as far as tests look at it. */
export interface AskedModel {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** How many requests came before since the rule was set. */
  readonly index: number
}

type Rule = (asked: AskedModel) => ModelReply | Promise<ModelReply>

const silent: Rule = () => ({ status: 404 })

/** A server of Loam over real HTTP, and a scripted model that the AI SDK calls by itself. */
export async function openWorld() {
  let rule = silent
  let begun = 0
  const modelServer = await startModelServer({
    chat: ({ body, index }) => rule({ ...(body as unknown as AskedModel), index: index - begun }),
  })
  const home = await mkdtemp(join(tmpdir(), 'loam-ai-sdk-'))
  const apiKey = randomBytes(24).toString('hex')
  const config = loadConfig(
    { LOAM_HOME: home, LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: apiKey },
    { cwd: home },
  )
  const storage = await createTestStorage()
  const runtime = await createRuntime(config, { storage, logger: silentLogger })
  await runtime.start()
  const server = await serveApi({ runtime, port: 0 })
  const client = createClient({ url: server.url, apiKey })
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: modelServer.baseUrl })
  return {
    client,
    model: provider('scripted-1'),
    /** From now on the model answers so. */
    answer(next: Rule) {
      rule = next
      begun = modelServer.count('chat')
    },
    async close() {
      await server.close()
      await runtime.close()
      await storage.close()
      await modelServer.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** See `openWorld`. */
export type World = Awaited<ReturnType<typeof openWorld>>

/** What is stored of a session, in order. */
export async function readStored(
  client: LoamClient,
  place: { agent: string; userId: string; session: string },
) {
  const { items } = await client.listMessages({ ...place, limit: 200 })
  return items.map(({ role, content, origin, toolCalls, toolCallId }) => ({
    role,
    content,
    ...(origin !== 'conversation' && { origin }),
    ...(toolCalls && { calls: toolCalls.map(({ name }) => name) }),
    ...(toolCallId !== undefined && { toolCallId }),
  }))
}
