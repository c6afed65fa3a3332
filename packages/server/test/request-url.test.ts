import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodedPath } from '../src/request-url.js'

describe('encodedPath', () => {
  it.each([
    ['http://localhost/v1/agents', '/v1/agents'],
    ['http://localhost:7420/v1/agents?limit=5', '/v1/agents'],
    ['http://localhost/v1/agents/a%2Fb%3Fc%23d', '/v1/agents/a%2Fb%3Fc%23d'],
    ['http://[::1]:7420/v1', '/v1'],
    ['http://localhost', '/'],
    ['http://localhost/?next=/v1', '/'],
  ])('finds the path of %s', (url, path) => {
    expect(encodedPath(new Request(url))).toBe(path)
  })

  it('keeps any encoded text in its segment', () => {
    const segments = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/^(?:\.|%2e){1,2}$/i.test(encodeURIComponent(text)))
    fc.assert(
      fc.property(segments, (text) => {
        const path = encodedPath(new Request(`http://localhost/a/${encodeURIComponent(text)}/b`))
        expect(path.split('/').map(decodeURIComponent)).toStrictEqual(['', 'a', text, 'b'])
      }),
    )
  })
})
