import { describe, expect, it } from 'vitest'
import { listField, parseSkill, type ParsedSkill } from '../../src/index.js'

const parse = (source: string | Uint8Array, slug = 'pdf'): ParsedSkill =>
  parseSkill(source, { slug })
const withFields = (...fields: readonly string[]) => parse(`---\n${fields.join('\n')}\n---\nBody\n`)
const codes = ({ warnings }: ParsedSkill) => warnings.map(({ code }) => code)
/** A line that is no YAML, so that all others are read line by line. */
const BROKEN = 'license: MIT: the short one'

describe('a name and a description', () => {
  it.each([
    ['a number with a zero at its end', '1.0'],
    ['a number with a zero in front', '007'],
    ['a hexadecimal number', '0x10'],
    ['a number with an exponent', '1e3'],
    ['more digits than a number has', '12345678901234567890'],
    ['not a number', '.nan'],
    ['a truth', 'True'],
    ['an issue', 'Closes issue #12'],
    ['a hash tag first', '#trending topics'],
    ['an exclamation mark and a blank first', '! careful'],
    ['an ampersand and a blank first', '& more'],
    ['a tag', '!!str text'],
    ['an anchor', '&anchor text'],
    ['an alias', '*alias'],
    ['an item', '- one'],
    ['a question mark first', '? why'],
    ['a colon first', ': so'],
    ['a bar with text behind it', '| one'],
    ['a percent sign first', '%s and %d'],
    ['a comma first', ', and'],
    ['two pairs of quotes', '"reads" and "writes"'],
    ['two pairs of single quotes', "'reads' and 'writes'"],
    ['quotes at the end', 'Use when asked to "read this"'],
    ['a colon at the end', 'Use when asked:'],
    ['an address', 'Reads https://example.org/a: all of it'],
    ['a time', '12:30'],
    ['braces within', 'Fills {name} and {place} in: both'],
    ['three dashes within', 'Reads --- and writes'],
  ])('are what was written: %s', (_, text) => {
    expect(withFields(`name: ${text}`, `description: ${text}`)).toMatchObject({
      name: text,
      description: text,
    })
    expect(withFields(`name: ${text}`, BROKEN, `description: ${text}`)).toMatchObject({
      name: text,
      description: text,
    })
  })

  it.each([
    ['double quotes within double quotes', '"Say "hello" to all"', 'Say "hello" to all'],
    ['an apostrophe within single quotes', "'It's a tool'", "It's a tool"],
    ['escaped quotes', '"Say \\"hello\\""', 'Say "hello"'],
    ['doubled single quotes', "'It''s a tool'", "It's a tool"],
    ['escaped characters', '"caf\\u00e9"', 'café'],
    ['a note behind quotes', '"One" # a note', 'One'],
    ['quotes over two lines', '"One\n  two"', 'One two'],
    ['single quotes over two lines', "'One\n  two'", 'One two'],
    ['quotes that open on a line of their own', '"\n  One\n  two"', 'One two'],
    ['text on the next line', '\n  Use when asked', 'Use when asked'],
    ['text with a colon on the next line', '\n  Use when: asked', 'Use when: asked'],
    ['an issue on the next line', '\n  Closes #12 and more', 'Closes #12 and more'],
    ['an issue on the second line', 'Closes\n  issue #12 too', 'Closes issue #12 too'],
    ['quotes with an issue on the next line', '\n  "Closes #12"', 'Closes #12'],
    ['a list', '\n  - One\n  - two', 'One two'],
    ['a list without indentation', '\n- One\n- two', 'One two'],
    ['a map', '\n  short: one', 'short: one'],
  ])('are read with %s', (_, written, text) => {
    expect(withFields('name: pdf', `description: ${written}`).description).toBe(text)
    expect(withFields(BROKEN, `description: ${written}`).description).toBe(text)
  })

  it.each([
    ['|', 'One\ntwo: #3'],
    ['|-', 'One\ntwo: #3'],
    ['>', 'One two: #3'],
    ['>-', 'One two: #3'],
    ['>+', 'One two: #3'],
    ['|2', 'One\ntwo: #3'],
    ['> # a note', 'One two: #3'],
  ])('are read from a block that begins with %s', (mark, text) => {
    const written = `description: ${mark}\n  One\n  two: #3`
    expect(withFields('name: pdf', written).description).toBe(text)
    expect(withFields(BROKEN, written).description).toBe('One two: #3')
  })

  it('are read where a line that should be indented is not', () => {
    const fields = ['description: Use when: asked', 'to read a file', '', 'name: reader']
    expect(withFields(...fields)).toMatchObject({
      name: 'reader',
      description: 'Use when: asked to read a file',
    })
  })

  it('are read without a blank behind the colon', () => {
    expect(withFields('name:reader', 'description:Reads')).toMatchObject({
      name: 'reader',
      description: 'Reads',
    })
  })

  it.each(['  ', ' ', '\t'])('are read where all fields are indented by %j', (indent) => {
    const fields = ['name: reader', 'description: Use when: asked', 'metadata:', '  author: ana']
    expect(withFields(...fields.map((line) => indent + line))).toMatchObject({
      name: 'reader',
      description: 'Use when: asked',
      frontmatter: { metadata: { author: 'ana' } },
    })
  })

  it('take a note behind a name for none of it', () => {
    expect(withFields('name: pdf # the tool', 'description: d').name).toBe('pdf')
    expect(withFields('name: pdf # the tool', BROKEN).name).toBe('pdf')
    expect(withFields('scope: all  # of them', BROKEN).frontmatter['scope']).toBe('all')
    expect(withFields(BROKEN, 'description: Reads # all').description).toBe('Reads # all')
  })

  it('name what YAML would take for a comment', () => {
    const message = expect.stringContaining('begins a comment in YAML') as string
    const kept = withFields('name: pdf', 'description: Closes #12')
    expect(kept.warnings).toEqual([{ code: 'field_invalid', line: 3, message }])
    const cut = withFields('name: pdf', 'description: Reads # all')
    expect(cut.description).toBe('Reads')
    expect(cut.warnings).toEqual([{ code: 'field_invalid', line: 3, message }])
  })

  it.each(['null', '~', '', '""', "'  '"])('are the slug and nothing for %j', (text) => {
    const skill = withFields(`name: ${text}`, `description: ${text}`)
    expect(skill).toMatchObject({ name: 'pdf', description: '' })
    expect(codes(skill)).toContain('format')
  })

  it('are read in any script', () => {
    const fields = ['name: 网页搜索', 'description: 使用时：搜索', '作者: 安娜', 'описание: да']
    expect(withFields(...fields)).toMatchObject({
      name: '网页搜索',
      description: '使用时：搜索',
      frontmatter: { 作者: '安娜', описание: 'да' },
    })
    expect(withFields(...fields, BROKEN)).toMatchObject({
      description: '使用时：搜索',
      frontmatter: { 作者: '安娜', описание: 'да' },
    })
  })
})

describe('metadata', () => {
  const expected = { author: 'ana', needs: { bins: ['gh'], os: 'linux' } }

  it.each([
    ['indented', 'metadata:\n  author: ana\n  needs:\n    bins: [gh]\n    os: linux'],
    ['indented by tabs', 'metadata:\n\tauthor: ana\n\tneeds:\n\t\tbins: [gh]\n\t\tos: linux'],
    ['on one line', 'metadata: {"author": "ana", "needs": {"bins": ["gh"], "os": "linux"}}'],
    [
      'in braces over lines',
      'metadata:\n  {\n    "author": "ana",\n    "needs": { "bins": ["gh"], "os": "linux" }\n  }',
    ],
    [
      'in braces that close without indentation',
      'metadata: {\n  "author": "ana",\n  "needs": { "bins": ["gh"], "os": "linux" }\n}',
    ],
  ])('survives another line that is no YAML, %s', (_, metadata) => {
    for (const broken of [BROKEN, 'description: Use when: asked', 'description: @all']) {
      for (const fields of [
        [broken, metadata],
        [metadata, broken],
      ]) {
        const skill = withFields(...fields)
        expect(skill.format).toBe('lines')
        expect(skill.frontmatter['metadata']).toEqual(expected)
      }
    }
  })

  it('leaves a broken list of dependencies out rather than to guess', () => {
    const { frontmatter } = withFields(BROKEN, 'deps:\n  - pip: requests\n  - zod')
    expect(listField(frontmatter, 'deps')).toEqual([])
    const flow = withFields(BROKEN, 'deps: [pip:requests, npm:zod]')
    expect(listField(flow.frontmatter, 'deps')).toEqual(['pip:requests', 'npm:zod'])
  })
})

describe('a frontmatter without its closing line', () => {
  it.each([
    ['text', 'Read the file.'],
    ['a heading', '# PDF\n\nRead: all of it.'],
    ['a rule further down', '# PDF\n\nRead the file.\n\n---\n\nThen write.'],
    ['an example and a rule further down', 'Write:\n\n```yaml\nname: other\n```\n\n---\nEnd'],
    ['a sentence with a colon and a rule', '# PDF\n\nYou do it all: read.\n\n---\n\nEnd'],
    ['two rules further down', 'Read **it**.\n\n---\n\nWrite.\n\n---\nEnd'],
  ])('ends before %s', (_, body) => {
    const skill = parse(`---\nname: pdf\ndescription: Reads\n\n${body}`)
    expect(skill).toMatchObject({ name: 'pdf', description: 'Reads', body })
    expect(codes(skill)).toEqual(['frontmatter_unclosed'])
  })

  it.each([
    ['an empty line between its fields', 'name: pdf\n\ndescription: Reads'],
    ['a comment first', '# of a skill\nname: pdf\ndescription: Reads'],
    ['an empty line first', '\nname: pdf\ndescription: Reads'],
    ['more fields', 'name: pdf\ndescription: Reads\nmetadata:\n  a: b\nallowed-tools:\n- Read'],
  ])('is read with %s', (_, fields) => {
    const skill = parse(`---\n${fields}\n\n# PDF`)
    expect(skill).toMatchObject({ name: 'pdf', description: 'Reads', body: '# PDF' })
  })

  it('is not one that has empty lines, comments and a line that is no YAML', () => {
    const skill = withFields('name: pdf', '', '# of it', 'description: a: b', '', 'version: 1')
    expect(skill).toMatchObject({ description: 'a: b', body: 'Body\n' })
    expect(skill.frontmatter).toMatchObject({ version: '1' })
    expect(codes(skill)).not.toContain('frontmatter_unclosed')
  })

  it('is not one with a quoted text of several paragraphs', () => {
    const skill = withFields('name: pdf', 'description: "One', '', '  two"')
    expect(skill).toMatchObject({ description: 'One\ntwo', body: 'Body\n' })
  })

  it.each(['---', '---\n', '---\n---', '---\n\n---\n'])('is nothing in %j', (source) => {
    expect(parse(source)).toMatchObject({ name: 'pdf', description: '', body: '' })
  })
})
