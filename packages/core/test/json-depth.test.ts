import { expect, it } from 'vitest'
import { isNestedDeeper } from '../src/json-depth.js'

it.each([
  ['null', null, false],
  ['a text', '[[[[[[', false],
  ['three levels', { a: [{ b: 1 }] }, false],
  ['three levels beside each other', [[[1]], [[2]]], false],
  ['an empty one as the fourth', [[[{}]]], true],
  ['a hundred thousand', JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)) as unknown, true],
])('%s against three', (_what, value, deeper) => {
  expect(isNestedDeeper(value, 3)).toBe(deeper)
})
