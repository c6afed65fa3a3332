import { hasRedisServer } from '../../../tools/services/redis-server.mjs'

/**
 * Whether a Redis can be started that a test may kill. With `CI=true` nothing may be skipped for want of one.
 *
 * @throws Error when `CI` is `true` and there is no `redis-server`.
 */
export async function canStartRedis(): Promise<boolean> {
  if (await hasRedisServer()) return true
  if (process.env['CI'] === 'true') {
    throw new Error(
      'There is no redis-server on the PATH, and with CI=true no suite may be skipped.',
    )
  }
  return false
}
