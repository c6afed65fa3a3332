import { ConfigurationError } from '@loam/core'
import { createApiClient, type Send } from './api-client.js'
import { ApiError } from './api-error.js'
import type { Connection } from './connect.js'

/** @throws ConfigurationError, without the URL, which may hold a password. */
export function checkUrl(url: string): string {
  const { protocol, username, password, search } = URL.canParse(url) ? new URL(url) : NO_URL
  if ((protocol === 'http:' || protocol === 'https:') && username + password + search === '') {
    return url
  }
  const message =
    'The URL of the API (LOAM_URL or --url) is none that can be used. Give http://host:port or https://host, without user, password and query; the key goes into LOAM_API_KEY.'
  throw new ConfigurationError({ message, issues: [{ path: 'LOAM_URL', message }] })
}

const NO_URL = { protocol: '', username: '', password: '', search: '' }

/** A connection to a server over HTTP. */
export function connectTo(url: string, apiKey: string): Connection {
  const base = url.replace(/\/+$/, '')
  const send: Send = async (path, init) => {
    try {
      return await fetch(base + path, init)
    } catch (cause) {
      init.signal?.throwIfAborted()
      const reason =
        cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : ''
      throw new ApiError({
        status: 0,
        code: 'unreachable',
        message: `No server answers at ${base}${reason && ` (${reason})`}. Check the URL, and that it runs.`,
      })
    }
  }
  return {
    client: createApiClient({ send, apiKey }),
    send,
    description: `the server at ${base}`,
    runtime: undefined,
    settle: async () => {},
    close: async () => {},
  }
}

/** @throws ConfigurationError without a key. */
export function requireKey(key: string | undefined, where: string): string {
  if (key !== undefined) return key
  const message = `No key for ${where}. Set LOAM_API_KEY, or pass --api-key.`
  throw new ConfigurationError({ message, issues: [{ path: 'LOAM_API_KEY', message }] })
}

/** An empty text counts as none. */
export function presence(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
