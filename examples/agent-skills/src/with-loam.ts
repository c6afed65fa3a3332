import { createClient, type LoamClient } from '@loam/client'
import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'

const apiKey = 'only-for-this-example'

/** Starts a Loam that forgets everything in the end, makes two agents in it, and lets it be used. */
export async function withLoam<Result>(
  use: (loam: LoamClient) => Promise<Result>,
): Promise<Result> {
  const settings = { LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: apiKey, LOAM_PORT: '0' }
  await using runtime = await createRuntime(loadConfig(settings, { cwd: process.cwd() }))
  await using server = await serveApi({ runtime, announce: false })
  const loam = createClient({ url: server.url, apiKey })
  for (const key of ['butler', 'gardener']) await loam.createAgent({ key })
  return await use(loam)
}
