import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repairJson } from '../src/index.js'

const hasAnswer = (value: unknown) =>
  typeof value === 'object' && value !== null && 'answer' in value

describe('repairJson', () => {
  it.each([
    ['plain JSON', '{"a":[1,null]}', { a: [1, null] }],
    ['a byte order mark and blanks', '\uFEFF  [1] \n', [1]],
    ['a bare number or string', ' 42 ', 42],
    ['a decimal with a blank', '{"a":0. 85}', { a: 0.85 }],
    ['a decimal with blanks', '{"a":0.   75}', { a: 0.75 }],
    [
      'a sentence that looks like a decimal',
      '{"a":"Founded in 2023. 15 employees",}',
      { a: 'Founded in 2023. 15 employees' },
    ],
    ['commas inside strings', '{"a":"x,]","b":",}",}', { a: 'x,]', b: ',}' }],
    ['escaped quotes', '{"a":"say \\"0. 5,]\\"",}', { a: 'say "0. 5,]"' }],
    ['a trailing comma', '[1,2,3,]', [1, 2, 3]],
    ['a fence with a language', '```json\n{"a":1}\n```', { a: 1 }],
    ['a fence without one', '  ```\n{"a":1}\n```  ', { a: 1 }],
    ['a fence that never closes', '```json\n[1,\n2]', [1, 2]],
    ['prose around', 'Sure! Here: {"a":1}. Anything else?', { a: 1 }],
    ['prose with braces before (mem0 #5998)', 'For {name} use: {"a":{"b":1},}', { a: { b: 1 } }],
    ['a lone brace before', 'Open { and then [{"a":1}]', [{ a: 1 }]],
    ['an invalid unicode escape (mem0 #4540)', '{"a":"中\\u4e2 文"}', { a: '中\\u4e2 文' }],
    ['unquoted keys and single quotes', "{a: 'x', 'b': True}", { a: 'x', b: true }],
    ['unescaped quotes', '{"a":"he said "hi" to me"}', { a: 'he said "hi" to me' }],
    ['a line break inside a string', '{"a":"x\ny"}', { a: 'x\ny' }],
    ['values in a row', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
  ])('reads %s', (_, text, value) => {
    expect(repairJson(text)).toEqual(value)
  })

  it.each([
    ['nothing', ''],
    ['prose', 'I cannot do that.'],
    ['a cut-off array (mem0 #4061)', '{"a":[1,2'],
    ['a cut-off string', '{"a":"x'],
    ['an object of which only an inner part is complete', '{"a":{"b":1},"c":'],
    ['a list of which only some items are complete', '```json\n[{"a":1},{"a":2},{"a'],
    ['only brackets', '{'.repeat(100_000)],
    ['a cut-off list with brackets in its strings', '[{"":{"]":0}}'],
    ['brackets too deep to repair', `${'['.repeat(100_000)}a,${']'.repeat(100_000)}`],
  ])('refuses %s', (_, text) => {
    expect(() => repairJson(text)).toThrow(InvalidInputError)
  })

  it('goes on until a value is accepted', () => {
    const text = 'Like {"example": "long enough to come first"}: {"answer": 1}'
    expect(repairJson(text, { accept: hasAnswer })).toEqual({ answer: 1 })
    expect(() => repairJson('{"other": 1}', { accept: hasAnswer })).toThrow(InvalidInputError)
  })

  it('gives back what was serialised', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        expect(repairJson(json)).toEqual(JSON.parse(json))
      }),
    )
  })

  it('gives back what was serialised, fenced and framed by prose', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const json = JSON.stringify(value)
        expect(repairJson(`Sure:\n\`\`\`json\n${json}\n\`\`\`\nDone.`)).toEqual(JSON.parse(json))
      }),
    )
  })

  it('never completes what was cut off', () => {
    const list = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), {
      minLength: 1,
    })
    fc.assert(
      fc.property(list, fc.nat(), (value, place) => {
        const json = JSON.stringify(value)
        expect(outcomeOf(json.slice(0, place % json.length))).toBe('invalid_input')
      }),
      { numRuns: 500 },
    )
  })

  it('reads long strings of escapes', () => {
    const text = 'line\n'.repeat(1_000_000)
    expect(repairJson(`${JSON.stringify([text]).slice(0, -1)},]`)).toEqual([text])
  })

  it('answers or throws its own error for any text', () => {
    const character = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      'u',
      '0. ',
      '\n',
      '`',
      'a',
    )
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(outcomeOf(text)).toMatch(/^(?:read|invalid_input)$/)
      }),
      { numRuns: 2000 },
    )
  })
})

function outcomeOf(text: string): string {
  try {
    repairJson(text)
    return 'read'
  } catch (error) {
    return InvalidInputError.isInstance(error) ? error.code : String(error)
  }
}
