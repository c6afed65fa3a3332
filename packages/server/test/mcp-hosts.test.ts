import { describe, expect, it } from 'vitest'
import { isHostAllowed, isOriginAllowed } from '../src/mcp-hosts.js'

const here = { host: '127.0.0.1', mcpAllowedHosts: [] }
const anywhere = { host: '0.0.0.0', mcpAllowedHosts: [] }
const listed = { host: '0.0.0.0', mcpAllowedHosts: ['loam.example'] }

describe('a name that a server is asked for', () => {
  it.each([
    ['localhost', here, true],
    ['loam.localhost', here, true],
    ['127.0.0.1', here, true],
    ['127.8.0.1', here, true],
    ['[::1]', here, true],
    ['192.168.1.5', here, true],
    ['[fe80::1]', here, true],
    ['evil.example', here, false],
    ['127.0.0.1.evil.example', here, false],
    ['localhost.evil.example', here, false],
    ['evillocalhost', here, false],
    ['box.lan', { ...here, host: 'box.lan' }, true],
    ['evil.example', { ...here, host: '::1' }, false],
    ['evil.example', { ...here, host: 'localhost' }, false],
    ['loam.example', { ...here, mcpAllowedHosts: ['loam.example'] }, true],
    ['loam.example', anywhere, true],
    ['loam.example', listed, true],
    ['evil.example', listed, false],
    ['10.0.0.7', listed, true],
  ])('%s, of %o, is its own: %s', (hostname, names, isAllowed) => {
    expect(isHostAllowed(hostname, names)).toBe(isAllowed)
  })
})

describe('the origin of a page', () => {
  it.each([
    ['http://localhost:6274', anywhere, true],
    ['http://[::1]:3000', anywhere, true],
    ['https://127.0.0.1', here, true],
    ['https://loam.example', listed, true],
    ['https://loam.example:8443', listed, true],
    ['https://loam.example', anywhere, false],
    ['https://evil.loam.example', listed, false],
    ['http://192.168.1.5', here, false],
    ['http://127.0.0.1.evil.example', here, false],
    ['http://127.0.0.1@evil.example', here, false],
    ['null', here, false],
    ['', here, false],
    ['file://', here, false],
  ])('%s, with %o, may ask: %s', (origin, names, isAllowed) => {
    expect(isOriginAllowed(origin, names)).toBe(isAllowed)
  })
})
