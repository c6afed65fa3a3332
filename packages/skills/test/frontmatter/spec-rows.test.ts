import { describe, expect, it } from 'vitest'
import { isSlug, listField, parseSkill, slugify, type ParsedSkill } from '../../src/index.js'

const parse = (source: string | Uint8Array, slug = 'pdf'): ParsedSkill =>
  parseSkill(source, { slug })
const withFields = (fields: string) => parse(`---\n${fields}\n---\nBody\n`)
const codes = ({ warnings }: ParsedSkill) => warnings.map(({ code }) => code)

describe('4.2 frontmatter', () => {
  it.each([
    ['a line of exactly three dashes', '---\nname: x\n---\nBody', 'x', 'Body'],
    ['four dashes are none', '----\nname: x\n----\nBody', 'pdf', '----\nname: x\n----\nBody'],
    ['dashes in front of text are none', '--- name: x\n---\nBody', 'pdf', '--- name: x\n---\nBody'],
    [
      'dashes that are not at the start are none',
      'A\n---\nname: x\n---',
      'pdf',
      'A\n---\nname: x\n---',
    ],
    ['the next such line ends it', '---\nname: x\n---\nA\n---\nB', 'x', 'A\n---\nB'],
    ['dashes in a value do not end it', '---\nname: a --- b\n---\nBody', 'a --- b', 'Body'],
    ['indented dashes do not end it', '---\nname: |\n  a\n  ---\n---\nBody', 'a\n---', 'Body'],
    ['CRLF becomes LF first', '---\r\nname: x\r\n---\r\nA\r\nB', 'x', 'A\nB'],
    ['the body is the remainder', '---\nname: x\n---\n\n  A\n\n', 'x', '\n  A\n\n'],
    ['the body can be empty', '---\nname: x\n---', 'x', ''],
  ])('delimiters: %s', (_, source, name, body) => {
    expect(parse(source)).toMatchObject({ name, body })
  })

  it.each([
    [
      'JSON: object with a non-empty name',
      '{"name": "a", "description": "b: c"}',
      'json',
      'a',
      'b: c',
    ],
    ['JSON over lines', '{\n  "name": "a",\n  "description": "b"\n}', 'json', 'a', 'b'],
    ['JSON with an empty name is not that', '{"name": "", "description": "b"}', 'yaml', 'pdf', 'b'],
    [
      'JSON with a name that is no text is not that',
      '{"name": 1, "description": "b"}',
      'yaml',
      '1',
      'b',
    ],
    [
      'JSON with a comma at its end is YAML',
      '{"name": "a", "description": "b",}',
      'yaml',
      'a',
      'b',
    ],
    ['split at the first colon', 'name: a\ndescription: b: c: d', 'lines', 'a', 'b: c: d'],
    ['matching quotes removed', 'name: "a"\ndescription: \'b\'', 'yaml', 'a', 'b'],
    ['quotes that do not match stay', 'name: a"\ndescription: b\'', 'yaml', 'a"', "b'"],
    ['comment lines skipped', '# name: z\nname: a\n# x\ndescription: b', 'yaml', 'a', 'b'],
    ['block scalar |', 'name: a\ndescription: |\n  b\n  c', 'yaml', 'a', 'b\nc'],
    ['block scalar >', 'name: a\ndescription: >\n  b\n  c', 'yaml', 'a', 'b c'],
    ['list items joined with blanks', 'name: a\ndescription:\n  - b\n  - c', 'yaml', 'a', 'b c'],
  ])('%s', (_, fields, format, name, description) => {
    expect(withFields(fields)).toMatchObject({ format, name, description, body: 'Body\n' })
  })

  it('no frontmatter: name is the directory’s, description empty', () => {
    expect(parse('Body', 'My Folder')).toMatchObject({
      slug: 'My Folder',
      name: 'My Folder',
      description: '',
      format: 'none',
      frontmatter: {},
      inlineBody: false,
    })
  })

  it.each([
    ['quoted values unquoted', 'name: "x"', { name: 'x' }],
    ['comment line is not a key', '# key: value', {}],
    ['empty is an empty map', '', {}],
    ['blank is an empty map', '  \n\n', {}],
  ])('test fact: %s', (_, fields, frontmatter) => {
    expect(withFields(fields).frontmatter).toEqual(frontmatter)
  })

  it.each([
    ['inline_body: true', true],
    ['inline_body: "true"', true],
    ['inline_body: TRUE', true],
    ['{"name": "x", "inline_body": true}', true],
    ['inline_body: true\nlicense: a: b', true],
    ['inline_body: false', false],
    ['name: x', false],
    ['inline_body: maybe', false],
    ['inline_body: yes', false],
    ['inline_body: 1', false],
    ['inline_body: [true]', false],
    ['inline_body:', false],
    ['{"name": "x", "inline_body": false}', false],
  ])('test fact: %j makes inline_body %s', (fields, expected) => {
    expect(withFields(fields).inlineBody).toBe(expected)
  })

  it.each([
    ['block lists parsed', '\n  - a\n  - b', ['a', 'b']],
    ['block lists without indentation', '\n- a\n- b', ['a', 'b']],
    ['quotes removed', '\n  - "a"\n  - \'b\'', ['a', 'b']],
    ['CRLF fine', '\r\n  - a\r\n  - b\r', ['a', 'b']],
    ['scalar value under the key ignored', '\n  a', []],
    ['scalar value behind the key ignored', ' a', []],
    ['a nested map drops the whole key', '\n  pip:\n    - a', []],
    ['a map among the items drops the whole key', '\n  - a\n  - pip: b', []],
    ['a list among the items drops the whole key', '\n  - a\n  - [b]', []],
    ['null and blanks are no names', '\n  - a\n  -\n  - " "', ['a']],
  ])('list keys: %s', (_, value, expected) => {
    for (const key of ['deps', 'exclude_deps']) {
      const { frontmatter } = withFields(`name: x\n${key}:${value}`)
      expect(listField(frontmatter, key)).toEqual(expected)
    }
  })

  it.each([
    ['an unquoted colon', 'Use when: asked', 'frontmatter_invalid'],
    ['a leading bracket', '[beta] Reads', 'frontmatter_invalid'],
    ['a leading special character', '@all', 'frontmatter_invalid'],
    ['what YAML takes for a list', '[a, b]', 'field_invalid'],
    ['what YAML takes for a map', '{a: b}', 'field_invalid'],
    ['what YAML takes for a tag', '!a b', 'field_invalid'],
  ])('the skill is kept, with a warning, over %s', (_, description, code) => {
    const skill = withFields(`name: pdf\ndescription: ${description}`)
    expect(skill.description).toBe(description)
    expect(codes(skill)).toEqual([code])
  })

  it.each([
    ['a set', '!!set {a, b}', { a: null, b: null }],
    ['an ordered map', '!!omap [a: 1, b: 2]', [{ a: 1 }, { b: 2 }]],
    ['a map', '!!map {a: 1}', { a: 1 }],
    ['a date', '2026-01-01', '2026-01-01'],
    ['sixty minutes', '1:00:00', '1:00:00'],
    ['a merge', '{<<: {a: 1}}', { '<<': { a: 1 } }],
  ])('safe schema: %s is nothing but JSON', (_, value, expected) => {
    const skill = withFields(`name: x\na: ${value}`)
    expect(skill.format).toBe('yaml')
    expect(skill.frontmatter['a']).toEqual(expected)
  })

  it.each([
    ['aliases', 'a: &a [b]\nc: *a'],
    ['merges by alias', 'a: &a {b: c}\n<<: *a'],
    ['custom tags', 'a: !custom b'],
    ['bytes', 'a: !!binary aGk='],
    ['a date', 'a: !!timestamp 2026-01-01'],
    ['more than is read', `a: ${'b'.repeat(70_000)}`],
    ['ten thousand nested brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['ten thousand nested braces', `a: ${'{a: '.repeat(10_000)}`],
    ['ten thousand nested items', `a:\n  ${'- '.repeat(10_000)}b`],
    ['ten thousand lines of brackets', `a: ${'[\n  '.repeat(10_000)}`],
  ])('safe schema: the name is read beside %s, and nothing else is made of it', (_, fields) => {
    const skill = withFields(`name: x\n${fields}`)
    expect(skill.name).toBe('x')
    const value = skill.frontmatter['a'] ?? ''
    expect(typeof value === 'string' || Array.isArray(value)).toBe(true)
  })
})

describe('4.3 slugs', () => {
  it.each([
    ['lower-case letters, digits, hyphens', 'a-1', true],
    ['at least 2 characters', 'a', false],
    ['exactly 2 characters', 'ab', true],
    ['upper-case letters', 'Ab', false],
    ['starts alphanumeric', '-ab', false],
    ['ends alphanumeric', 'ab-', false],
    ['starts with a digit', '1b', true],
    ['underscore', 'a_b', false],
    ['dot', 'a.b', false],
    ['slash', 'a/b', false],
    ['a line at the end', 'ab\n', false],
    ['letters of another script', 'аб', false],
    ['list-skills', 'list-skills', false],
    ['help', 'help', false],
    ['use', 'use', false],
    ['activate', 'activate', false],
  ])('valid slug: %s', (_, slug, expected) => {
    expect(isSlug(slug)).toBe(expected)
  })

  it.each([
    ['lower-case', 'PDF', 'pdf'],
    ['every other character becomes a hyphen', 'a b_c.d/e', 'a-b-c-d-e'],
    ['collapse', 'a -- b', 'a-b'],
    ['trim', '--a1--', 'a1'],
    ['empty becomes skill', '', 'skill'],
  ])('slugify: %s', (_, name, slug) => {
    expect(slugify(name)).toBe(slug)
  })
})
