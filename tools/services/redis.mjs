import { installPackages } from './debian.mjs'
import { MINIMUM_REDIS, hasRedisServer, startRedis, stopRedis } from './redis-server.mjs'

/** @type {import('./services.mjs').Service<import('./redis-server.mjs').LocalRedis>} */
export const redis = {
  name: 'redis',
  variable: 'LOAM_TEST_REDIS_URL',
  requirement: `Redis ${MINIMUM_REDIS} or newer`,
  hasLocal: hasRedisServer,
  install: () => installPackages(['redis-server']),
  startLocal: startRedis,
  stopLocal: stopRedis,
}
