import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../src/index.js'

const parse = (source: string) => parseSkill(source, { slug: 'pdf' })

describe('a frontmatter that is made to be slow', () => {
  const MANY = 50_000

  it.each([
    ['tabs behind a colon and a line separator', `license:${'\t'.repeat(MANY)}\u2028\nb: c: d`],
    ['number signs', `name: a: b\nlicense: ${'\t#\t'.repeat(MANY / 3)}\u2028\t#`],
    ['brackets that close nothing', `license: ${']'.repeat(MANY)}`],
    ['quotes', `license: ${'"'.repeat(MANY)}`],
  ])('is read in a moment: %s', (_, fields) => {
    const { description } = parse(`---\ndescription: Reads\n${fields}\n---\nBody`)
    expect(description).toBe('Reads')
  })
})

describe('JSON that is too deep to be handled', () => {
  it.each([21, 30_000])('loses the fields of %i levels, with a warning, and no others', (depth) => {
    const deep = '['.repeat(depth) + ']'.repeat(depth)
    const json = `{"name": "PDF", "description": "Reads", "deps": ["a"], "tree": ${deep}}`
    const { warnings, ...skill } = parse(`---\n${json}\n---\nBody`)
    expect(skill).toMatchObject({
      format: 'json',
      name: 'PDF',
      frontmatter: { name: 'PDF', description: 'Reads', deps: ['a'] },
    })
    expect(skill.frontmatter).not.toHaveProperty('tree')
    expect(warnings[0]).toMatchObject({ code: 'frontmatter_limit', line: 2 })
    expect(warnings[0]?.message).toContain('"tree"')
  })

  it('keeps fields of 20 levels', () => {
    const deep = '['.repeat(20) + ']'.repeat(20)
    const { frontmatter, warnings } = parse(`---\n{"name": "pdf", "tree": ${deep}}\n---\n`)
    expect(JSON.stringify(frontmatter['tree'])).toBe(deep)
    expect(warnings.map(({ code }) => code)).not.toContain('frontmatter_limit')
  })
})

describe('a value that YAML has a tag for', () => {
  it.each([
    ['icon: !!binary aGVsbG8=', { icon: 'aGVsbG8=' }],
    ['icon: !!binary "@@@"', { icon: '@@@' }],
    ['metadata: {icon: !!binary aGVsbG8=}', { metadata: { icon: 'aGVsbG8=' } }],
    ['description: !!binary aGVsbG8=', { description: '!!binary aGVsbG8=' }],
    ['tags: !!set {a, b}', { tags: { a: null, b: null } }],
    ['run: !!js/function "x"', { run: 'x' }],
  ])('is taken as it is written: %s', (field, fields) => {
    expect(parse(`---\nname: pdf\n${field}\n---\n`)).toMatchObject({
      format: 'yaml',
      frontmatter: { name: 'pdf', ...fields },
    })
  })
})
