import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'

/** A Loam that runs. */
export interface RunningLoam {
  readonly url: string
  readonly apiKey: string
}

const API_KEY = 'only-for-this-example'

/** Starts a Loam that forgets everything in the end, makes an agent in it, and lets it be used. */
export async function withLoam<Result>(
  agent: string,
  use: (loam: RunningLoam) => Promise<Result>,
): Promise<Result> {
  const settings = { LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: API_KEY, LOAM_PORT: '0' }
  await using runtime = await createRuntime(loadConfig(settings, { cwd: process.cwd() }))
  await using server = await serveApi({ runtime, announce: false })
  const { ok, status } = await fetch(`${server.url}/v1/agents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: agent }),
  })
  if (!ok) throw new Error(`The agent was not made: ${status}`)
  return await use({ url: server.url, apiKey: API_KEY })
}
