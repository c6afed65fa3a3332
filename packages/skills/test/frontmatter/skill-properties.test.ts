import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { isSlug, parseSkill, slugify, type ParsedSkill } from '../../src/index.js'

const parse = (source: string | Uint8Array): ParsedSkill => parseSkill(source, { slug: 'pdf' })

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'a',
          'B',
          ' ',
          '\n',
          '#',
          ' #',
          ': ',
          '- ',
          '"',
          "'",
          '|',
          '>',
          '!',
          '&',
          '1',
          '.',
        ),
        { minLength: 1, maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  )
  .map((value) => value.trim())
  .filter((value) => value !== '' && !value.includes('\uFEFF'))

describe('parseSkill', () => {
  it.each([0, 20, 80])('reads what a YAML writer wrote in lines of %i', (lineWidth) => {
    fc.assert(
      fc.property(text, text, (name, description) => {
        const fields = stringify({ name, description }, { lineWidth })
        // The writer may break a line within a pair of surrogates, which no file can hold.
        fc.pre(!/[\uD800-\uDFFF]/u.test(fields))
        const skill = parse(`---\n${fields}---\nBody`)
        expect(skill).toMatchObject({ name, description, body: 'Body', format: 'yaml' })
      }),
      { numRuns: 500 },
    )
  })

  it('reads what a YAML writer wrote of anything below the metadata', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('any'), { maxKeys: 3 }),
      ),
    })).any
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value), (metadata) => {
        const fields = stringify({ name: 'x', metadata })
        const skill = parse(`---\n${fields}---\n`)
        expect(skill.frontmatter['metadata']).toEqual(metadata)
      }),
      { numRuns: 300 },
    )
  })

  it('reads any text and any bytes, behind any beginning', () => {
    const beginning = fc.constantFrom(
      '',
      '---\n',
      '---\nname: ',
      '---\nmetadata:\n  ',
      '---\n{',
      '\uFEFF---\r',
    )
    const source = fc.tuple(beginning, fc.string({ unit: 'binary', maxLength: 300 }))
    fc.assert(
      fc.property(source, fc.uint8Array({ maxLength: 300 }), ([first, rest], bytes) => {
        for (const given of [first + rest, Buffer.from(first + rest), bytes]) {
          const skill = parse(given)
          expect(skill.name.trim()).not.toBe('')
          expect([skill.name, skill.description, skill.body].join('')).not.toMatch(/\0|\r/)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('reads any nesting', () => {
    const opening = fc.constantFrom(
      '[',
      '{',
      '- ',
      '? ',
      'a: ',
      '"',
      "'",
      '\n',
      '\n  ',
      '\n\t',
      '&a ',
      '*a',
      '!!map ',
      '|\n',
      '#',
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(opening, fc.integer({ min: 1, max: 400 })), { maxLength: 12 }),
        (parts) => {
          const fields = parts.map(([piece, times]) => piece.repeat(times)).join('')
          expect(parse(`---\nname: x\nmetadata: ${fields}\n---\n`).slug).toBe('pdf')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('loses nothing of the body, wherever the dashes are', () => {
    const line = fc.constantFrom('---', '# A', 'a: b', 'Text', '', '- item', '    code', '----')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const body = lines.join('\n')
        const skill = parse(`---\nname: x\ndescription: y\n---\n${body}`)
        expect(skill).toMatchObject({ name: 'x', description: 'y', body })
      }),
    )
  })
})

const words = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 2, maxLength: 20 })

describe('slugify', () => {
  const name = fc.string({ unit: 'binary', maxLength: 100 })

  it('gives a slug, or skill for nothing', () => {
    fc.assert(
      fc.property(name, (given) => {
        const slug = slugify(given)
        expect(isSlug(slug)).toBe(true)
        expect(slug === 'skill').toBe(
          given.trim() === '' || /^[^a-z0-9]*skill[^a-z0-9]*$/i.test(given),
        )
      }),
    )
  })

  it('leaves a slug as it is', () => {
    fc.assert(
      fc.property(name, (given) => {
        const slug = slugify(given)
        expect(slugify(slug)).toBe(slug)
      }),
    )
  })

  it('gives two names without Latin letters two slugs, unless they are said alike', () => {
    const letters = fc.constantFrom(...Array.from('бгджзклмнпрстфхц'))
    const symbols = fc.constantFrom(...Array.from('!?+*~§°★☂→'))
    fc.assert(
      fc.property(fc.oneof(words(letters), words(symbols)), words(letters), (one, other) => {
        fc.pre(one !== other)
        expect(slugify(one)).not.toBe(slugify(other))
      }),
    )
  })

  it('gives the same slug however Unicode spells the name', () => {
    fc.assert(
      fc.property(name, (given) => {
        expect(slugify(given.normalize('NFD'))).toBe(slugify(given.normalize('NFC')))
      }),
    )
  })
})
