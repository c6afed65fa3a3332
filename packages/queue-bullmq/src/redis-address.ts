/** Where a Redis is and how to log in, as ioredis wants it. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  readonly db: number
  readonly tls?: Record<string, never>
}

const DEFAULT_PORT = 6379

/**
 * Reads `redis://user:password@host:port/database`, or `rediss://` for TLS; undefined if it is no such URL.
 *
 * Read here and not by ioredis, which takes any of its options from the URL's query.
 */
export function readRedisUrl(url: string): RedisAddress | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(url)
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1]
  const known = protocol === 'redis:' || protocol === 'rediss:'
  if (!known || hostname === '' || database === undefined || search !== '' || hash !== '') {
    return undefined
  }
  const [user, secret] = [decode(username), decode(password)]
  if (user === undefined || secret === undefined) return undefined
  return {
    // An IPv6 address stands in brackets in a URL, and without them everywhere else.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT : Number(port),
    ...(user !== '' && { username: user }),
    ...(secret !== '' && { password: secret }),
    db: Number(database),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Cuts the password out of a text. A server that does not know a command quotes what came with it. */
export function hidePassword(text: string, { password }: RedisAddress): string {
  return password === undefined ? text : text.replaceAll(password, '***')
}
