import { describe, expect, it } from 'vitest'
import { route, withQuery } from '../src/api/route.js'

describe('route', () => {
  it('escapes what stands in a path', () => {
    expect(route`/v1/agents/${'a/b'}/sessions/${'ü?#%'}`).toBe(
      '/v1/agents/a%2Fb/sessions/%C3%BC%3F%23%25',
    )
  })

  it.each(['.', '..', '', '\uD800'])('refuses %j, which no path can hold', (value) => {
    expect(() => route`/v1/agents/${value}`).toThrow(/key/)
  })
})

describe('withQuery', () => {
  it('leaves out what is undefined', () => {
    expect(withQuery('/a', { b: 'c d', e: undefined, f: 1 })).toBe('/a?b=c+d&f=1')
    expect(withQuery('/a', { b: undefined })).toBe('/a')
  })
})
