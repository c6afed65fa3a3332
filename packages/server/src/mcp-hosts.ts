import { isIP } from 'node:net'
import { ForbiddenError } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnvironment } from './api-environment.js'

/** Longest part of a header that an answer repeats. */
const MAX_SHOWN = 100

type Names = Pick<LoamConfig, 'host' | 'mcpAllowedHosts'>

/**
 * Refuses requests that a browser may have sent on behalf of a foreign page, whose site has had its name resolve to this machine
 * (DNS rebinding): those from the page of a site that is not allowed, and those for a name that the server does not have.
 *
 * A key is needed besides, which such a page does not have.
 */
export function checkMcpHost(names: Names): MiddlewareHandler<ApiEnvironment> {
  return async ({ req }, next) => {
    const origin = req.header('Origin')
    if (origin !== undefined && !isOriginAllowed(origin, names)) {
      throw refusal(`Pages of ${shown(origin)} may not use this.`)
    }
    const { hostname } = new URL(req.url)
    if (!isHostAllowed(hostname, names)) {
      throw refusal(`This server does not go by the name ${shown(hostname)}.`)
    }
    await next()
  }
}

/** Whether a page of that origin may ask; without an origin it is no page that does. */
export function isOriginAllowed(origin: string, { mcpAllowedHosts }: Names): boolean {
  // A page without an origin of its own says "null", which is no URL.
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return isOfThisMachine(hostname) || mcpAllowedHosts.includes(hostname)
}

/** Whether a request for that name is meant for this server. No name resolves to an address that is written out. */
export function isHostAllowed(hostname: string, { host, mcpAllowedHosts }: Names): boolean {
  if (isOfThisMachine(hostname) || isAddress(hostname) || hostname === host.toLowerCase())
    return true
  if (mcpAllowedHosts.includes(hostname)) return true
  // Reached from elsewhere, it has names that only its operator knows, unless they are listed.
  return mcpAllowedHosts.length === 0 && !isOfThisMachine(host.includes(':') ? `[${host}]` : host)
}

function isOfThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** URLs have addresses of version 6 in brackets. */
function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, MAX_SHOWN))
}

function refusal(reason: string): ForbiddenError {
  return new ForbiddenError({
    message: `${reason} Its operator lists other names in LOAM_MCP_ALLOWED_HOSTS.`,
  })
}
