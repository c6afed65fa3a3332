/**
 * URL of the Redis that tests may use, from `LOAM_TEST_REDIS_URL`; undefined when there is none, so that suites can be skipped.
 * With `CI=true` nothing may be skipped for want of a server.
 *
 * @throws Error when `CI` is `true` and the variable is not set.
 */
export function redisTestUrl(): string | undefined {
  const { LOAM_TEST_REDIS_URL: url, CI } = process.env
  if (url) return url
  if (CI === 'true') {
    throw new Error('LOAM_TEST_REDIS_URL is not set, and with CI=true no suite may be skipped.')
  }
  return undefined
}
