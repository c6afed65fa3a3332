import type { ApiClient } from './api-client.js'
import { ApiError } from './api-error.js'
import { route } from './route.js'

/** Makes the agent if there is none of that key. Returns whether it did. */
export async function ensureAgent(client: ApiClient, key: string): Promise<boolean> {
  try {
    await client.get(route`/v1/agents/${key}`)
    return false
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
  try {
    await client.post('/v1/agents', { key })
    return true
  } catch (error) {
    // Another process made it in between.
    if (error instanceof ApiError && error.code === 'conflict') return false
    throw error
  }
}
