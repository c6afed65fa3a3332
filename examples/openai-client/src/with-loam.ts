import { createClient } from '@loam/client'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { startLittleModel } from './little-model.js'

/** A Loam that runs. */
export interface RunningLoam {
  readonly url: string
  readonly apiKey: string
}

const API_KEY = 'only-for-this-example'

/** Starts a Loam that forgets everything in the end, makes an agent in it, and lets it be used. */
export async function withLoam<Result>(
  use: (loam: RunningLoam) => Promise<Result>,
): Promise<Result> {
  await using model = await startLittleModel()
  const settings = {
    LOAM_DATABASE_URL: 'pglite:memory',
    LOAM_API_KEY: API_KEY,
    LOAM_PORT: '0',
    LOAM_MODEL_BASE_URL: model.baseUrl,
    LOAM_CHAT_MODEL: 'little',
  }
  await using runtime = await createRuntime(loadConfig(settings, { cwd: process.cwd() }))
  await using server = await serveApi({ runtime, announce: false })
  const loam = { url: server.url, apiKey: API_KEY }
  await createClient(loam).createAgent({ key: 'concierge' })
  return await use(loam)
}
