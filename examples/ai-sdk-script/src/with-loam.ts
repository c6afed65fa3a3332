import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createClient, type LoamClient } from '@loam/client'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { startLittleModel } from './little-model.js'

const apiKey = 'only-for-this-example'

/** Starts a Loam that forgets everything in the end, makes an agent in it, and lets it be used, with a model beside it. */
export async function withLoam<Result>(
  use: (
    loam: LoamClient,
    model: ReturnType<ReturnType<typeof createOpenAICompatible>>,
  ) => Promise<Result>,
): Promise<Result> {
  await using model = await startLittleModel()
  const settings = { LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: apiKey, LOAM_PORT: '0' }
  await using runtime = await createRuntime(loadConfig(settings, { cwd: process.cwd() }))
  await using server = await serveApi({ runtime, announce: false })
  const loam = createClient({ url: server.url, apiKey })
  await loam.createAgent({ key: 'concierge' })
  const provider = createOpenAICompatible({ name: 'little', baseURL: model.baseUrl })
  return await use(loam, provider('little'))
}
