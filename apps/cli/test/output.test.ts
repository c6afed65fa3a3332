import { describe, expect, it } from 'vitest'
import { counted, duration, oneLine } from '../src/output.js'

describe('oneLine', () => {
  it.each([
    ['two\r\n  lines', 'two lines'],
    ['\u001B[31mred\u001B[0m\u0007', '[31mred[0m'],
    ['abc\u202Edef', 'abcdef'],
    ['  ', ''],
  ])('makes %j into %j', (text, line) => {
    expect(oneLine(text)).toBe(line)
  })

  it('cuts between characters, not inside them', () => {
    expect(oneLine('🍎🍐🍊🍋', 3)).toBe('🍎🍐…')
    expect(oneLine('🍎🍐🍊', 3)).toBe('🍎🍐🍊')
  })
})

describe('counted', () => {
  it.each([
    [1, '1 message'],
    [0, '0 messages'],
    [1234, '1,234 messages'],
  ])('says %d as "%s"', (count, text) => {
    expect(counted(count, 'message')).toBe(text)
  })
})

describe('duration', () => {
  it.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [2345, '2.3 s'],
  ])('says %d as "%s"', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text)
  })
})
