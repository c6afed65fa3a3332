import { describe, expect, it } from 'vitest'
import { parseSkill, type ParsedSkill } from '../../src/index.js'

const TEXT = '---\nname: größe\ndescription: Misst 📏 und 长度\n---\nErste\nzweite\n'
const EXPECTED = {
  name: 'größe',
  description: 'Misst 📏 und 长度',
  body: 'Erste\nzweite\n',
  format: 'yaml',
}
const parse = (source: string | Uint8Array): ParsedSkill => parseSkill(source, { slug: 'größe' })
const codes = ({ warnings }: ParsedSkill) => warnings.map(({ code }) => code)
const wide = (text: string, order: 'little' | 'big') => {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'big' ? bytes.swap16() : bytes
}

describe('a file', () => {
  it.each([
    ['text', TEXT],
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['text with a byte order mark', `\uFEFF${TEXT}`],
    ['CRLF', TEXT.replaceAll('\n', '\r\n')],
    ['CR', TEXT.replaceAll('\n', '\r')],
    ['line ends of all kinds', TEXT.replace('\n', '\r').replace('\nde', '\r\nde')],
    ['a byte order mark and CRLF', Buffer.from(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`)],
    ['empty lines before it', `\n \n\t\n${TEXT}`],
    ['a byte order mark and an empty line before it', `\uFEFF\r\n${TEXT}`],
    ['blanks behind the dashes', TEXT.replaceAll('---', '--- \t')],
  ])('is read as %s, with nothing to remark', (_, source) => {
    expect(parse(source)).toMatchObject({ ...EXPECTED, warnings: [] })
  })

  it.each([
    ['UTF-16', wide(`\uFEFF${TEXT}`, 'little')],
    ['UTF-16, big end first', wide(`\uFEFF${TEXT}`, 'big')],
    ['UTF-16 with CRLF', wide(`\uFEFF${TEXT.replaceAll('\n', '\r\n')}`, 'little')],
    ['text with NUL', TEXT.replace('größe', 'grö\0ße')],
    ['UTF-8 with two byte order marks', Buffer.from(`\uFEFF\uFEFF${TEXT}`)],
  ])('is read as %s, with a warning', (_, source) => {
    const skill = parse(source)
    expect(skill).toMatchObject(EXPECTED)
    expect(codes(skill)).toEqual(['encoding'])
  })

  it.each([
    ['Latin-1', Buffer.from('---\nname: größe\n---\nä', 'latin1'), 'gr\uFFFD\uFFFDe', '\uFFFD'],
    ['bytes that are cut off', Buffer.from('---\nname: x\n---\n长').subarray(0, -1), 'x', '\uFFFD'],
    ['half of a pair', '---\nname: a\uD83Db\n---\n\uDC4D', 'a\uFFFDb', '\uFFFD'],
    [
      'half of a pair in UTF-16',
      wide('\uFEFF---\nname: a\uD83Db\n---\nc', 'little'),
      'a\uFFFDb',
      'c',
    ],
    [
      'an odd number of bytes in UTF-16',
      Buffer.concat([wide('\uFEFF---\nname: x\n---\nc', 'little'), Buffer.of(1)]),
      'x',
      'c\uFFFD',
    ],
  ])('shows where a character is lost: %s', (_, source, name, body) => {
    const skill = parse(source)
    expect(skill).toMatchObject({ name, body })
    expect(codes(skill)).toContain('encoding')
  })

  it.each(['', '\uFEFF', '\n', '\0', '\r\r'])('has nothing to read in %j', (source) => {
    for (const given of [source, Buffer.from(source)]) {
      expect(parse(given)).toMatchObject({ name: 'größe', description: '', format: 'none' })
      expect(parse(given).body.trim()).toBe('')
    }
  })
})

describe('a large file', () => {
  const head = '---\nname: x\ndescription: y\n---\n'
  const limit = 1024 * 1024

  it.each([
    ['exactly as much as is read', 0, []],
    ['one byte more', 1, ['frontmatter_limit']],
    ['ten times as much', limit * 9, ['frontmatter_limit']],
  ])('is read up to a mebibyte: %s', (_, more, expected) => {
    const skill = parse(Buffer.from(head + 'a'.repeat(limit - head.length + more)))
    expect(skill).toMatchObject({ name: 'x', description: 'y' })
    expect(skill.body).toBe('a'.repeat(limit - head.length))
    expect(codes(skill).filter((code) => code !== 'format')).toEqual(expected)
  })

  it.each(['é', '长', '📏'])('is not cut within %s', (character) => {
    for (const shift of [0, 1, 2, 3]) {
      const bytes = Buffer.from(head + 'a'.repeat(shift) + character.repeat(limit / 2))
      const skill = parse(bytes)
      expect(skill.body).toMatch(new RegExp(`^a*(?:${character})+$`))
      expect(codes(skill)).not.toContain('encoding')
    }
  })

  it('keeps its name and its description behind a large field, and without a closing line', () => {
    const fields = `notes: ${'a b: c '.repeat(20_000)}\nname: x\ndescription: Use when: asked`
    for (const source of [`---\n${fields}\n---\nBody`, `---\n${fields}\n\n# Body`]) {
      expect(parse(source)).toMatchObject({ name: 'x', description: 'Use when: asked' })
    }
  })

  it.each([
    ['fields', Array.from({ length: 60_000 }, (_, index) => `k${index}: []`).join('\n')],
    ['lists', `a:\n${'  - b\n'.repeat(100_000)}`],
    ['quotes', `a: ${'"'.repeat(500_000)}`],
    ['blanks', `a:${' '.repeat(500_000)}b`],
    ['hashes', `description: a${' #'.repeat(250_000)}`],
    ['colons', `description: ${': '.repeat(250_000)}`],
    ['dashes', `a: ${'-'.repeat(500_000)}`],
    ['empty lines', '\n'.repeat(500_000)],
  ])('of many %s is read', (_, fields) => {
    expect(parse(`---\nname: x\n${fields}\n---\nBody`)).toMatchObject({ name: 'x', body: 'Body' })
  })
})

const withDescription = (description: string) =>
  parseSkill(`---\nname: pdf\ndescription: "${description}"\n---\n`, { slug: 'pdf' })

describe('the limits of the Agent Skills format', () => {
  it.each(['a', 'é', '长', '📏'])(
    'count characters: 1,024 of %s are a description',
    (character) => {
      expect(withDescription(character.repeat(1_024)).warnings).toEqual([])
      expect(codes(withDescription(character.repeat(1_025)))).toEqual(['format'])
    },
  )

  it('do not mind how Unicode spells a name', () => {
    const source = '---\nname: größe\ndescription: d\n---\n'
    expect(parse(source.normalize('NFD')).warnings).toEqual([])
    expect(parseSkill(source, { slug: 'größe'.normalize('NFD') }).warnings).toEqual([])
  })

  it.each(['网页', 'größe', 'поиск-2', '検索'])('allow the name %s', (name) => {
    const source = `---\nname: ${name}\ndescription: d\n---\n`
    expect(parseSkill(source, { slug: name }).warnings).toEqual([])
  })

  it('ask for a description where it is blank', () => {
    expect(withDescription('   ').warnings).toEqual([
      { code: 'format', message: expect.stringMatching(/^There is no description/) as string },
    ])
  })
})

describe('names that JavaScript keeps for itself', () => {
  it.each([
    [
      'YAML',
      'name: x\n__proto__:\n  inline_body: true\nconstructor: a\ntoString: b\nhasOwnProperty: c',
    ],
    ['lines', 'name: x\n__proto__:\n  inline_body: true\nlicense: a: b\nconstructor: a'],
    ['JSON', '{"name": "x", "__proto__": {"inline_body": true}, "constructor": "a"}'],
    ['metadata', 'name: x\nmetadata:\n  __proto__:\n    inline_body: true'],
    ['a list', 'name: x\nmetadata: [{__proto__: {inline_body: true}}]'],
  ])('are fields like any other in %s', (_, fields) => {
    const { frontmatter, inlineBody } = parse(`---\n${fields}\n---\n`)
    expect(inlineBody).toBe(false)
    expect(Object.getPrototypeOf(frontmatter)).toBe(Object.prototype)
    expect(frontmatter['inline_body']).toBeUndefined()
    expect(
      (frontmatter['metadata'] as { inline_body?: unknown } | undefined)?.inline_body,
    ).toBeUndefined()
    expect(({} as { inline_body?: unknown }).inline_body).toBeUndefined()
  })
})
