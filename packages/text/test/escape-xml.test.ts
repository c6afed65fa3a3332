import { expect, it } from 'vitest'
import { escapeXml } from '../src/index.js'

it('escapes the five characters that have a meaning in XML', () => {
  expect(escapeXml(`<a href="x">R&D's</a>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;R&amp;D&apos;s&lt;/a&gt;',
  )
})
