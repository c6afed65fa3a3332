import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { InvalidInputError, LimitError } from '@loam/core'
import { readSkillArchive } from '../../src/archive/read-skill-archive.js'
import type { SkillFile } from '../../src/archive/skill-file.js'
import { writeSkillArchive } from '../../src/archive/write-skill-archive.js'
import { buildZip, skillZip, utf8 } from './build-zip.js'

const segment = fc.stringMatching(/^[a-z0-9é日_-][a-z0-9é日_-]{0,11}$/u)
const companions = fc.dictionary(
  fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `f/${parts.join('/')}.md`),
  fc.uint8Array({ maxLength: 2_000 }),
  { maxKeys: 12 },
)

/** Reads, and lets through nothing but what a caller is told of. */
async function outcomeOf(bytes: Uint8Array): Promise<'read' | 'refused'> {
  try {
    await readSkillArchive(bytes)
    return 'read'
  } catch (error) {
    if (InvalidInputError.isInstance(error) || LimitError.isInstance(error)) return 'refused'
    throw error
  }
}

describe('reading what was written', () => {
  it('gives the same files, and the same bytes again in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(companions, async (given) => {
        const files: SkillFile[] = Object.entries(given).map(([path, content]) => ({
          path,
          content,
        }))
        files.push({ path: 'SKILL.md', content: utf8('# Skill') })
        const bytes = await writeSkillArchive('my-skill', files)
        const { skills, ignored } = await readSkillArchive(bytes)
        expect(ignored).toEqual([])
        expect(skills).toHaveLength(1)
        expect(skills[0]?.slug).toBe('my-skill')
        expect(
          Object.fromEntries((skills[0]?.files ?? []).map((f) => [f.path, f.content])),
        ).toEqual(
          Object.fromEntries(files.map(({ path, content }) => [path, new Uint8Array(content)])),
        )
        expect(await writeSkillArchive('my-skill', skills[0]?.files ?? [])).toEqual(bytes)
      }),
    )
  })
})

describe('reading bytes of any kind', () => {
  it('refuses random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        expect(await outcomeOf(bytes)).toBe('refused')
      }),
    )
  })

  it('refuses random bytes that end as an archive does', async () => {
    const end = fc.uint8Array({ minLength: 16, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), end, async (bytes, rest) => {
        const eocd = Buffer.concat([bytes, Buffer.from('PK\x05\x06'), rest, Buffer.alloc(2)])
        expect(await outcomeOf(eocd)).toBe('refused')
      }),
    )
  })

  it('reads or refuses archives with changed bytes, and never fails otherwise', async () => {
    const base = skillZip(
      { name: 'a/b.txt', content: 'hello '.repeat(50), mode: 0o100644 },
      { name: 'c/', mode: 0o040755 },
      { name: 'd.bin', content: Buffer.alloc(300, 7), method: 0 },
    )
    const change = fc.tuple(fc.nat(base.length - 1), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = base.slice()
        for (const [place, value] of changes) bytes[place] = value
        expect(await outcomeOf(bytes)).toMatch(/^re/)
      }),
      { numRuns: 1_500 },
    )
  })

  it('reads or refuses the 64-bit form with any one byte changed', async () => {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('# Skill'), 'SKILL.md', { forceZip64Format: true })
    zip.end({ forceZip64Format: true, comment: '' })
    const chunks: Uint8Array[] = []
    for await (const chunk of zip.outputStream) chunks.push(chunk as Uint8Array)
    const base = new Uint8Array(Buffer.concat(chunks))
    for (let place = 0; place < base.length; place += 1) {
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const bytes = base.slice()
        bytes[place] = value
        expect(await outcomeOf(bytes)).toMatch(/^re/)
      }
    }
  })

  it('reads or refuses an archive with any one byte changed', async () => {
    const base = buildZip([{ name: 'SKILL.md', content: '# Skill' }])
    for (let place = 0; place < base.length; place += 1) {
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const bytes = base.slice()
        bytes[place] = value
        expect(await outcomeOf(bytes)).toMatch(/^re/)
      }
    }
  })

  it('refuses every beginning of an archive', async () => {
    const base = skillZip({ name: 'a/b.txt', content: 'hello' })
    for (let length = 0; length < base.length; length += 1) {
      expect(await outcomeOf(base.subarray(0, length))).toBe('refused')
    }
  })

  it('reads or refuses archives whose entries say anything', async () => {
    const entry = fc.record(
      {
        name: fc.oneof(
          fc.constantFrom('SKILL.md', 'a/SKILL.md', 'a/', 'b'),
          fc.string({ unit: 'binary' }),
        ),
        content: fc.string(),
        packed: fc.uint8Array({ maxLength: 50 }),
        method: fc.constantFrom(0, 8, 9),
        flags: fc.nat(0xffff),
        mode: fc.nat(0xffff),
        size: fc.nat(0xffffffff),
        packedSize: fc.oneof(fc.nat(100), fc.nat(0xffffffff)),
        offset: fc.oneof(fc.nat(100), fc.nat(0xffffffff)),
      },
      { requiredKeys: ['name', 'content'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
        expect(await outcomeOf(buildZip(entries))).toMatch(/^re/)
      }),
      { numRuns: 1_000 },
    )
  })
})
