import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { InvalidInputError } from '@loam/core'
import { readSkillArchive, type SkillArchive } from '../../src/archive/read-skill-archive.js'
import { buildZip, skillZip, text, utf8, type RawEntry } from './build-zip.js'

const SKILL = '# Skill'
const named = (...names: string[]): Uint8Array =>
  buildZip(names.map((name) => ({ name, content: SKILL })))
const pathsOf = ({ skills }: SkillArchive) =>
  skills.map(({ slug, files }) => [slug, files.map(({ path }) => path)])

async function finished(zip: ZipFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}

/** What is said of an archive that is refused. */
async function faultOf(bytes: Uint8Array): Promise<string> {
  try {
    await readSkillArchive(bytes)
  } catch (error) {
    if (InvalidInputError.isInstance(error)) return error.message
    throw error
  }
  throw new Error('The archive was read.')
}

const skillOf = (bytes: number) => buildZip([{ name: 'SKILL.md', content: 'x'.repeat(bytes) }])

describe('where skills are found', () => {
  it.each<[string, string[], unknown, string[]]>([
    ['the root', ['SKILL.md', 'a/b.md'], [[undefined, ['SKILL.md', 'a/b.md']]], []],
    ['one folder', ['pdf/a.py', 'pdf/SKILL.md'], [['pdf', ['SKILL.md', 'a.py']]], []],
    [
      'several folders',
      ['b/SKILL.md', 'a/SKILL.md', 'LICENSE'],
      [
        ['a', ['SKILL.md']],
        ['b', ['SKILL.md']],
      ],
      ['LICENSE'],
    ],
    [
      'the depth of a repository, with hidden files and folders around',
      ['r-main/.claude/skills/a/SKILL.md', 'r-main/.gitignore', 'r-main/.github/x.yml'],
      [['a', ['SKILL.md']]],
      ['r-main/.github/x.yml', 'r-main/.gitignore'],
    ],
    [
      'a skill within a skill, which is a companion',
      ['a/SKILL.md', 'a/old/SKILL.md', 'ab/x.md'],
      [['a', ['SKILL.md', 'old/SKILL.md']]],
      ['ab/x.md'],
    ],
    [
      'the root, and all else is companions',
      ['b/SKILL.md', 'SKILL.md'],
      [[undefined, ['SKILL.md', 'b/SKILL.md']]],
      [],
    ],
    [
      'a repository of one skill, without what is hidden',
      ['SKILL.md', '.gitignore', '.git/config', 'a/.env', 'a/b.md'],
      [[undefined, ['SKILL.md', 'a/b.md']]],
      ['.git/config', '.gitignore', 'a/.env'],
    ],
    ['Windows', ['pdf\\SKILL.md', 'pdf\\a\\b.md'], [['pdf', ['SKILL.md', 'a/b.md']]], []],
    ['names that begin with "./"', ['./', './a/', './a/SKILL.md'], [['a', ['SKILL.md']]], []],
    [
      'macOS and Windows, with what their file managers leave',
      ['a/SKILL.md', '__MACOSX/a/._SKILL.md', 'a/.DS_Store', 'a/._x', '.DS_Store', 'a/Thumbs.db'],
      [['a', ['SKILL.md']]],
      [],
    ],
  ])('finds skills in an archive of %s', async (_, names, skills, ignored) => {
    const archive = await readSkillArchive(named(...names))
    expect(pathsOf(archive)).toEqual(skills)
    expect(archive.ignored).toEqual(ignored)
  })

  it('says what was looked for when there is none, and what comes near', async () => {
    expect(await faultOf(named('README.md'))).toMatch(
      /No skill was found: a file SKILL\.md .* among 1 files/,
    )
    expect(await faultOf(named('a/skill.md'))).toMatch(/There is "a\/skill\.md"; .* capitals/)
    expect(await faultOf(buildZip([]))).toMatch(/among 0 files/)
  })

  it('refuses two skills of one name, also in other letters', async () => {
    expect(await faultOf(named('x/a/SKILL.md', 'y/a/SKILL.md'))).toMatch(/two skills of one name/)
    expect(await faultOf(named('A/SKILL.md', 'a/SKILL.md'))).toMatch(/two skills of one name/)
  })

  it.each(['', ' \n\t', '\uFEFF\n'])('refuses a SKILL.md that is %j', async (content) => {
    expect(await faultOf(buildZip([{ name: 'a/SKILL.md', content }]))).toMatch(
      /"a\/SKILL.md" is empty/,
    )
  })

  it('takes a SKILL.md of 100 KiB and refuses a longer one; companions may be longer', async () => {
    expect((await readSkillArchive(skillOf(102_400))).skills).toHaveLength(1)
    expect(await faultOf(skillOf(102_401))).toMatch(/has 102,401 bytes, and 102,400 is the most/)
    const more = skillZip({ name: 'old/SKILL.md', content: 'x'.repeat(102_401) })
    expect((await readSkillArchive(more)).skills).toHaveLength(1)
  })
})

describe('what tools write', () => {
  it('reads the 64-bit form', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from(SKILL), 'a/SKILL.md', { forceZip64Format: true })
    zip.addEmptyDirectory('a/empty')
    zip.end({ forceZip64Format: true, comment: 'packed by a test' })
    expect(pathsOf(await readSkillArchive(await finished(zip)))).toEqual([['a', ['SKILL.md']]])
  })

  it.each([true, false])(
    'reads sizes that come after the data (deflated: %s)',
    async (compress) => {
      const zip = new ZipFile()
      zip.addReadStream(Readable.from([Buffer.from(SKILL)]), 'SKILL.md', { compress })
      zip.addReadStream(Readable.from([Buffer.alloc(300_000, 'abc')]), 'data.txt', { compress })
      zip.end()
      const bytes = await finished(zip)
      const { skills } = await readSkillArchive(bytes)
      expect(skills[0]?.files.map(({ content }) => content.byteLength)).toEqual([7, 300_000])
    },
  )

  it.skipIf(!existsSync('/usr/bin/zip'))(
    'reads what the command zip writes, and refuses its links',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'skill-archive-'))
      try {
        mkdirSync(join(folder, 'a/scripts'), { recursive: true })
        writeFileSync(join(folder, 'a/SKILL.md'), SKILL)
        writeFileSync(join(folder, 'a/scripts/é.sh'), 'ls')
        const zip = (...options: string[]) => {
          execFileSync('zip', ['-q', ...options], { cwd: folder })
          return new Uint8Array(readFileSync(join(folder, 'out.zip')))
        }
        const expected = [['a', ['SKILL.md', 'scripts/é.sh']]]
        expect(pathsOf(await readSkillArchive(zip('-r', 'out.zip', 'a')))).toEqual(expected)
        rmSync(join(folder, 'out.zip'))
        expect(pathsOf(await readSkillArchive(zip('-r', '-fd', 'out.zip', './a')))).toEqual(
          expected,
        )
        execFileSync('ln', ['-s', '/etc/passwd', 'a/link.txt'], { cwd: folder })
        expect(await faultOf(zip('-r', '-y', 'out.zip', 'a'))).toMatch(/"a\/link\.txt" is a link/)
        rmSync(join(folder, 'a/link.txt'))
        rmSync(join(folder, 'out.zip'))
        expect(await faultOf(zip('-r', '-P', 'secret', 'out.zip', 'a'))).toMatch(
          /"a\/SKILL\.md" is encrypted/,
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  it.each([
    ['code page 437', Buffer.from([0x82, 0x2e, 0x6d, 0x64])],
    ['UTF-8 that does not say so', Buffer.from('é.md')],
  ])('reads names in %s', async (_, name) => {
    expect(pathsOf(await readSkillArchive(skillZip({ name, flags: 0 })))).toEqual([
      [undefined, ['SKILL.md', 'é.md']],
    ])
  })

  it('gives copies: a file does not change with the archive, and keeps none of it in memory', async () => {
    const bytes = buildZip([{ name: 'SKILL.md', content: SKILL, method: 0 }])
    const { skills } = await readSkillArchive(bytes)
    bytes.fill(0)
    const content = skills[0]?.files[0]?.content
    expect(text(content)).toBe(SKILL)
    expect(content?.buffer.byteLength).toBe(SKILL.length)
  })
})

describe('what is refused', () => {
  it.each<[string, RawEntry, RegExp]>([
    ['a symbolic link', { name: 'a', content: '/etc', mode: 0o120777 }, /"a" is a link/],
    ['a link of Windows', { name: 'a', attributes: 0x400 }, /"a" is a link/],
    ['a device', { name: 'a', mode: 0o060644 }, /"a" is no plain file/],
    ['a pipe', { name: 'a', mode: 0o010644 }, /"a" is no plain file/],
    ['an encrypted file', { name: 'a', flags: 0x801 }, /"a" is encrypted/],
    ['a strongly encrypted file', { name: 'a', flags: 0x841 }, /encryption/],
    ['another method', { name: 'a', method: 12 }, /"a" is packed by method 12/],
    ['a path that leads upwards', { name: '../a' }, /"\.\.\/a" leads upwards/],
    ['such a path of Windows', { name: 'b\\..\\..\\a' }, /leads upwards/],
    ['such a folder', { name: '../' }, /upwards/],
    ['an absolute path', { name: '/etc/cron.d/a' }, /absolute/],
    ['a drive', { name: 'C:\\a' }, /drive/],
    ['no name', { name: '' }, /empty/],
    ['NUL in a name', { name: 'a\0.md' }, /control character/],
    ['a name that is no UTF-8', { name: Buffer.from([0x61, 0xff]) }, /no UTF-8/],
    ['a name without end', { name: 'a/'.repeat(3_000) + 'b' }, /6,001 characters/],
    ['a name twice', { name: 'SKILL.md', content: 'other' }, /one name/],
    ['a name twice in other letters', { name: 'skill.md', content: 'other' }, /Write SKILL\.md/],
    ['a file and a folder of one name', { name: 'SKILL.md/a' }, /one name/],
    ['a wrong checksum', { name: 'a', content: 'x', crc: 1 }, /"a" is damaged: its checksum/],
    ['a smaller size', { name: 'a', content: 'xxxx', size: 3 }, /"a" is damaged: .* size/],
    ['a larger size', { name: 'a', content: 'xxxx', size: 5 }, /"a" is damaged: .* size/],
    ['a wrong size, stored', { name: 'a', content: 'xx', method: 0, size: 1 }, /another size/],
    ['data that is cut off', { name: 'a', content: 'hello', packedSize: 3 }, /"a" is damaged/],
    ['no data', { name: 'a', packed: new Uint8Array() }, /"a" is damaged/],
    ['data that does not unpack', { name: 'a', packed: utf8('nonsense') }, /"a" is damaged/],
    [
      'bytes after the data',
      { name: 'a', content: '', packed: Buffer.concat([Buffer.from([3, 0]), Buffer.alloc(9)]) },
      /after the end/,
    ],
    ['a place outside', { name: 'a', offset: 1_000_000 }, /"a" is damaged: unexpected EOF/],
    ['more bytes than there are', { name: 'a', packedSize: 1_000_000 }, /overflows/],
  ])('refuses %s, and says where', async (_, entry, message) => {
    expect(await faultOf(skillZip(entry))).toMatch(message)
  })

  it.each([
    ['README.md', 'readme.MD'],
    ['\u00E9.md', 'e\u0301.md'],
    ['a/stra\u00DFe', 'A/STRASSE'],
    ['a\\b', 'a/b'],
    ['a', 'A/b'],
  ])('refuses %j and %j in one skill, and takes them outside of skills', async (first, second) => {
    expect(await faultOf(named('SKILL.md', first, second))).toMatch(/one name/)
    expect((await readSkillArchive(named('s/SKILL.md', first, second))).ignored).toHaveLength(2)
  })

  it('does not open what lies outside of skills', async () => {
    const bytes = buildZip([
      { name: 'r/s/SKILL.md', content: SKILL },
      { name: 'r/CLAUDE.md', content: 'AGENTS.md', mode: 0o120777 },
      { name: 'r/secret', flags: 0x801 },
      { name: 'r/broken', packed: utf8('nonsense') },
    ])
    const { ignored } = await readSkillArchive(bytes)
    expect(ignored).toEqual(['r/CLAUDE.md', 'r/broken', 'r/secret'])
  })

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['text', utf8('no zip')],
    ['the beginning of an archive', skillZip().subarray(0, 60)],
    ['an archive without its last byte', skillZip().subarray(0, -1)],
    ['an archive and more', Buffer.concat([skillZip(), Buffer.from('more')])],
    ['a list that is shorter than stated', buildZip([{ name: 'SKILL.md', content: 'x' }], 2)],
  ])('refuses %s as no ZIP', async (_, bytes) => {
    expect(await faultOf(bytes)).toMatch(/no ZIP archive, or it is damaged/)
  })

  it('reads an archive that is a part of a larger buffer', async () => {
    const whole = Buffer.concat([Buffer.from('before'), skillZip(), Buffer.from('after')])
    const { skills } = await readSkillArchive(whole.subarray(6, -5))
    expect(text(skills[0]?.files[0]?.content)).toBe(SKILL)
  })
})
