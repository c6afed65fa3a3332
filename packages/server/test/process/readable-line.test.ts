import { describe, expect, it } from 'vitest'
import { readableLine } from '../../src/process/readable-line.js'

describe('readableLine', () => {
  it('shows time, level, message and fields', () => {
    const line = JSON.stringify({ level: 40, time: 0, msg: 'slow', ms: 12, path: '/a b' })
    expect(readableLine(line)).toMatch(/^\d\d:\d\d:\d\d {2}WARN {2}slow {2}ms=12 {2}path="\/a b"$/)
  })

  it('leaves out the level of information, and keeps a line one line', () => {
    const line = JSON.stringify({ level: 30, time: 0, msg: 'ready', error: 'a\nb\u001B[31m' })
    expect(readableLine(line)).toMatch(/^\d\d:\d\d:\d\d {2}ready {2}error="a\\nb\\u001b\[31m"$/)
  })
})
