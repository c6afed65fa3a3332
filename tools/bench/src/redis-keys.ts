import { Redis } from 'ioredis'

/** Removes the keys that begin with a prefix, or with it in braces, from a Redis that others use too. */
export async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url)
  try {
    for (const match of [`${prefix}*`, `{${prefix}*`]) {
      for await (const keys of redis.scanStream({ match, count: 1000 })) {
        const found = keys as string[]
        if (found.length > 0) await redis.unlink(...found)
      }
    }
  } finally {
    redis.disconnect()
  }
}
