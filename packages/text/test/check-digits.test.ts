import { describe, expect, it } from 'vitest'
import { isIban, isPaymentNumber } from '../src/check-digits.js'

describe('isIban', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', true],
    ['FR1420041010050500013M02606', true],
    ['NO9386011117947', true],
    ['DE89 3704 0044 0532 0130 01', false],
    ['DE89', false],
  ])('says of %s: %s', (text, valid) => {
    expect(isIban(text)).toBe(valid)
  })
})

describe('isPaymentNumber', () => {
  it.each([
    ['4111 1111 1111 1111', true],
    ['4222222222222', true],
    ['5555-5555-5555-4444', true],
    ['4111 1111 1111 1112', false],
    ['0000 0000 0000 0000', false],
    ['1700000000002', false],
    ['42', false],
  ])('says of %s: %s', (text, valid) => {
    expect(isPaymentNumber(text)).toBe(valid)
  })
})
