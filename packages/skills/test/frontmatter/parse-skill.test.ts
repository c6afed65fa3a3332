import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { listField, parseSkill, type ParsedSkill } from '../../src/index.js'

const parse = (source: string | Uint8Array, slug = 'pdf'): ParsedSkill =>
  parseSkill(source, { slug })
const withFields = (fields: string, body = 'Body\n') => parse(`---\n${fields}\n---\n${body}`)
const codes = ({ warnings }: ParsedSkill) => warnings.map(({ code }) => code)
const described = (line: string) => withFields(`name: pdf\ndescription: ${line}`).description

describe('the specification’s frontmatter', () => {
  it('takes JSON with a name', () => {
    const skill = withFields('{ "name": "PDF", "description": "Reads: all", "inline_body": true }')
    expect(skill).toMatchObject({
      name: 'PDF',
      description: 'Reads: all',
      format: 'json',
      inlineBody: true,
    })
  })

  it('takes JSON without a name as YAML, which it is too', () => {
    expect(withFields('{ "description": "x" }')).toMatchObject({ format: 'yaml', description: 'x' })
  })

  it.each([
    ['double quotes', '"a b"', 'a b'],
    ['single quotes', "'a b'", 'a b'],
    ['none', 'a b', 'a b'],
  ])('removes %s', (_, value, expected) => {
    expect(described(value)).toBe(expected)
  })

  it('does not take a comment line for a key', () => {
    const { frontmatter } = withFields('# comment: no\nname: x')
    expect(frontmatter).toEqual({ name: 'x' })
  })

  it('gives nothing for nothing', () => {
    const skill = parse('---\n---\nBody')
    expect(skill).toMatchObject({ frontmatter: {}, name: 'pdf', description: '', body: 'Body' })
  })

  it.each([
    ['inline_body: true', true],
    ['inline_body: "true"', true],
    ['inline_body: false', false],
    ['inline_body: garbage', false],
    ['inline_body: 1', false],
    ['name: x', false],
  ])('reads %s as %s', (line, expected) => {
    expect(withFields(line).inlineBody).toBe(expected)
  })

  it('takes the name of the folder where there is no frontmatter', () => {
    const skill = parse('# PDF\n\nSteps')
    expect(skill).toMatchObject({
      name: 'pdf',
      description: '',
      format: 'none',
      body: '# PDF\n\nSteps',
    })
    expect(codes(skill)).toEqual(['frontmatter_missing'])
  })

  it('ends the block at the next line of three dashes, and not within a value', () => {
    const skill = withFields('name: x\ndescription: a --- b', 'One\n---\nTwo')
    expect(skill).toMatchObject({ description: 'a --- b', body: 'One\n---\nTwo' })
    expect(parse('----\nname: x\n----\n').format).toBe('none')
  })
})

const listOf = (fields: string) => listField(withFields(fields).frontmatter, 'deps')

describe('list fields of dependencies', () => {
  it.each([
    ['a block list', 'deps:\n  - pip:requests\n  - npm:zod', ['pip:requests', 'npm:zod']],
    ['quotes', 'deps:\n  - "pip:requests"\n  - \'npm:zod\'', ['pip:requests', 'npm:zod']],
    ['CRLF', 'deps:\r\n  - pip:requests\r', ['pip:requests']],
    ['a scalar, which is ignored', 'deps: requests', []],
    ['a nested map, which drops the whole field', 'deps:\n  - npm:zod\n  - pip: requests', []],
    ['nothing', 'name: x', []],
  ])('read %s', (_, fields, expected) => {
    expect(listOf(fields)).toEqual(expected)
  })
})

describe('what people really publish', () => {
  it.each([
    ['an unquoted colon', 'Use when: the user asks', 'Use when: the user asks'],
    ['a bracket first', '[beta] Reads PDF', '[beta] Reads PDF'],
    ['a whole list', '[a, b]', '[a, b]'],
    ['a whole map', '{x}', '{x}'],
    ['an asterisk first', '*Fast* reading', '*Fast* reading'],
    ['an at sign first', '@mentions of people', '@mentions of people'],
    ['a backtick first', '`pdf` files', '`pdf` files'],
    ['a percent sign first', '%d formats', '%d formats'],
    ['an exclamation mark first', '!important things', '!important things'],
    ['an ampersand first', '&c and more', '&c and more'],
    ['a folding mark with text behind it', '> Reads PDF', '> Reads PDF'],
    ['a number', '42', '42'],
    ['yes', 'yes', 'yes'],
    ['a date', '2026-01-01', '2026-01-01'],
    ['a quote inside', `Reads "all" of it's pages: fast`, `Reads "all" of it's pages: fast`],
  ])('is read with %s', (_, line, expected) => {
    expect(described(line)).toBe(expected)
  })

  it.each([
    ['a literal block', 'description: |\n  One\n  two: three\nname: x', 'One\ntwo: three'],
    ['a folded block', 'description: >-\n  One\n  two\nname: x', 'One two'],
    ['a plain text of two lines', 'description: One\n  two\nname: x', 'One two'],
    ['a quoted text of two lines', 'description: "One\n  two"\nname: x', 'One two'],
    ['a plain text of two lines with a colon', 'description: One: a\n  two\nname: x', 'One: a two'],
    [
      'a literal block in what is no YAML',
      'license: a: b\ndescription: |\n  One\n  two',
      'One two',
    ],
  ])('is read with %s', (_, fields, expected) => {
    expect(withFields(fields).description).toBe(expected)
  })

  it('keeps nested metadata, also where another line is no YAML', () => {
    const metadata = 'metadata:\n  author: ana\n  tags:\n    - a\n    - b'
    const expected = { author: 'ana', tags: ['a', 'b'] }
    expect(withFields(`name: x\n${metadata}`).frontmatter['metadata']).toEqual(expected)
    const broken = withFields(`name: x\ndescription: a: b\n${metadata}`)
    expect(broken.format).toBe('lines')
    expect(broken.frontmatter['metadata']).toEqual(expected)
  })

  it('is read with tabs', () => {
    const skill = withFields('name:\tTabs\nmetadata:\n\tauthor: ana\ndescription: Uses tabs')
    expect(skill).toMatchObject({ name: 'Tabs', description: 'Uses tabs' })
  })

  it('is read without a closing line', () => {
    const skill = parse('---\nname: open\ndescription: Never closed\n\n# Title\nText: more')
    expect(skill).toMatchObject({
      name: 'open',
      description: 'Never closed',
      body: '# Title\nText: more',
    })
    expect(codes(skill)).toContain('frontmatter_unclosed')
  })

  it.each([
    ['CRLF', '---\r\nname: x\r\n---\r\nA\r\nB'],
    ['CR', '---\rname: x\r---\rA\rB'],
    ['a byte order mark', '\uFEFF---\nname: x\n---\nA\nB'],
    ['blanks behind the dashes', '---  \nname: x\n---\t\nA\nB'],
    ['empty lines before it', '\n \n---\nname: x\n---\nA\nB'],
  ])('is read with %s', (_, source) => {
    expect(parse(source)).toMatchObject({ name: 'x', body: 'A\nB' })
  })

  it('is read in UTF-16, and as bytes that are no UTF-8, with a warning', () => {
    const text = '---\nname: größe\n---\nBody'
    const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')
    expect(parse(wide)).toMatchObject({ name: 'größe', body: 'Body' })
    expect(codes(parse(wide))).toContain('encoding')
    const latin = parse(Buffer.from(text, 'latin1'))
    expect(latin.body).toBe('Body')
    expect(codes(latin)).toContain('encoding')
    expect(codes(parse('---\nname: a\0b\n---\n'))).toContain('encoding')
  })

  it('is read up to a mebibyte', () => {
    const skill = parse(Buffer.from(`---\nname: x\n---\n${'a'.repeat(2 ** 20)}é`))
    expect(skill.name).toBe('x')
    expect(skill.body.length).toBeLessThan(2 ** 20)
    expect(codes(skill)).toContain('frontmatter_limit')
  })

  it('says where a line is no YAML, and where a comment cuts a text', () => {
    const skill = withFields('name: pdf\ndescription: Fixes issues # and more')
    expect(skill.description).toBe('Fixes issues')
    expect(skill.warnings).toContainEqual(
      expect.objectContaining({ code: 'field_invalid', line: 3 }),
    )
    const broken = withFields('name: pdf\ndescription: a: b')
    expect(broken.warnings[0]).toMatchObject({ code: 'frontmatter_invalid', line: 3 })
  })
})

describe('what the Agent Skills format would reject', () => {
  it('is nothing in a good skill', () => {
    const fields = [
      'name: pdf',
      `description: ${'x'.repeat(1_024)}`,
      'license: MIT',
      'compatibility: any',
    ]
    const more = ['metadata:\n  author: ana', 'allowed-tools: Bash Read']
    expect(withFields([...fields, ...more].join('\n')).warnings).toEqual([])
  })

  it.each([
    ['another name than the folder', 'name: other\ndescription: x', /have to be the same/],
    ['a capital letter', 'name: PDF\ndescription: x', /lower-case/],
    ['two hyphens', 'name: a--b\ndescription: x', /single hyphens/],
    ['a long name', `name: ${'a'.repeat(65)}\ndescription: x`, /65 characters/],
    ['no name', 'description: x', /There is no name/],
    ['no description', 'name: pdf', /There is no description/],
    ['a long description', `name: pdf\ndescription: ${'x'.repeat(1_025)}`, /1025 characters/],
    ['a long compatibility', `name: pdf\ndescription: x\ncompatibility: ${'x'.repeat(501)}`, /500/],
    ['metadata of numbers', 'name: pdf\ndescription: x\nmetadata:\n  version: 1', /metadata/],
    ['an unknown field', 'name: pdf\ndescription: x\ncolour: red', /"colour"/],
  ])('is told of %s, and the skill is loaded all the same', (_, fields, message) => {
    const skill = withFields(fields)
    expect(skill.name).not.toBe('')
    expect(skill.warnings).toContainEqual({
      code: 'format',
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('parseSkill', () => {
  it.each([
    ['aliases', 'a: &x [1, 2]\nb: *x\nname: n'],
    ['a bomb of aliases', `a: &a [x,x]\n${'b: &b [*a,*a]\n'.repeat(20)}name: n`],
    ['a custom tag', 'a: !!js/function "x"\nname: n'],
    ['ten thousand brackets', `a: ${'['.repeat(10_000)}\nname: n`],
    ['ten thousand braces', `a: ${'{'.repeat(10_000)}\nname: n`],
    ['ten thousand dashes', `a:\n  ${'- '.repeat(10_000)}x\nname: n`],
    ['ten thousand question marks', `${'? '.repeat(10_000)}\nname: n`],
    [
      'a thousand levels',
      `${Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n')}\nname: n`,
    ],
    ['a hundred thousand lines', `${'a: b\n'.repeat(100_000)}name: n`],
  ])('gets past %s', (_, fields) => {
    expect(withFields(fields).name).toBe('n')
  })

  it('keeps the last of a field that comes twice', () => {
    expect(withFields('name: a\nname: b').name).toBe('b')
  })

  it('gives no power to __proto__', () => {
    const { frontmatter } = withFields('name: x\n__proto__:\n  inline_body: true\nconstructor: y')
    expect(Object.getPrototypeOf(frontmatter)).toBe(Object.prototype)
    expect((frontmatter as { inline_body?: unknown }).inline_body).toBeUndefined()
  })

  it('reads any text and any bytes', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      'name: ',
      'description: ',
      ': ',
      '- ',
      '[',
      '{',
      '"',
      "'",
      '|',
      '\t',
      '  ',
      '#',
      '&a',
      '*a',
      'x',
    )
    const source = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 200 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => `---\n${pieces.join('')}`),
    )
    fc.assert(
      fc.property(source, (given) => {
        const skill = parse(given)
        expect(skill.name).not.toBe('')
        expect(JSON.stringify(skill)).not.toContain('\\u0000')
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads what a YAML writer wrote', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
      .map((value) => value.trim())
      .filter((value) => value !== '' && !value.includes('\uFEFF'))
    fc.assert(
      fc.property(text, text, (name, description) => {
        const fields = stringify({ name, description }, { lineWidth: 0 }).trimEnd()
        expect(withFields(fields)).toMatchObject({ name, description })
      }),
      { numRuns: 500 },
    )
  })
})
