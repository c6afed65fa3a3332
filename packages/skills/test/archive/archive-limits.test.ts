import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { InvalidInputError, LimitError } from '@loam/core'
import {
  ARCHIVE_LIMITS,
  completeLimits,
  type ArchiveLimits,
} from '../../src/archive/archive-limits.js'
import { readSkillArchive } from '../../src/archive/read-skill-archive.js'
import { buildZip, skillZip } from './build-zip.js'

const MEBIBYTE = 1024 * 1024

/** The limit at which reading stops, when the message names it and its value. */
async function limitOf(
  bytes: Uint8Array,
  limits: Partial<ArchiveLimits> = {},
): Promise<keyof ArchiveLimits> {
  const error: unknown = await readSkillArchive(bytes, limits).then(
    () => new Error('The archive was read.'),
    (reason: unknown) => reason,
  )
  if (!LimitError.isInstance(error)) throw error
  const limit = error.details['limit'] as keyof ArchiveLimits
  const most = completeLimits(limits)[limit]
  expect(error).toMatchObject({ details: { limit, most }, retryable: false })
  expect(error.message).toContain(`${most.toLocaleString('en')} is the most (${limit})`)
  return limit
}

const withEntries = (count: number) =>
  skillZip(...Array.from({ length: count }, (_, place) => ({ name: `f${place}` })))
const withFile = (bytes: number) => skillZip({ name: 'a', content: randomBytes(bytes) })
/** Unpacks to so many zeros, and states four gigabytes. */
const stating = (bytes: number) =>
  skillZip({ name: 'a', packed: deflateRawSync(Buffer.alloc(bytes)), size: 0xfffffffe })

describe('limits of an archive', () => {
  it('are those of the specification', () => {
    expect(ARCHIVE_LIMITS).toEqual({
      maxArchiveBytes: 20 * MEBIBYTE,
      maxEntries: 500,
      maxFileBytes: 5 * MEBIBYTE,
      maxTotalBytes: 50 * MEBIBYTE,
      maxRatio: 100,
      maxDepth: 10,
      maxSkillFileBytes: 100 * 1024,
    })
  })

  it('keep their defaults where a value is none', () => {
    expect(completeLimits({ maxEntries: Number.NaN, maxRatio: 0, maxDepth: 3 })).toEqual({
      ...ARCHIVE_LIMITS,
      maxDepth: 3,
    })
  })

  it('stop at the size of the archive', async () => {
    expect(await limitOf(new Uint8Array(20 * MEBIBYTE + 1))).toBe('maxArchiveBytes')
    const bytes = skillZip()
    expect((await readSkillArchive(bytes, { maxArchiveBytes: bytes.length })).skills).toHaveLength(
      1,
    )
    expect(await limitOf(bytes, { maxArchiveBytes: bytes.length - 1 })).toBe('maxArchiveBytes')
  })

  it('stop at the number of entries, before they are read', async () => {
    expect((await readSkillArchive(withEntries(499))).skills[0]?.files).toHaveLength(500)
    expect(await limitOf(withEntries(500))).toBe('maxEntries')
    expect(await limitOf(buildZip([{ name: 'SKILL.md', content: 'x' }], 60_000))).toBe('maxEntries')
  })

  it('stop at the depth within a skill, however deep the skill lies', async () => {
    const deep = 'a/b/c/d/e/f/g/h/i'
    const zip = (name: string) =>
      buildZip([
        { name: `r/s/${deep}/t/SKILL.md`, content: 'x' },
        { name: `r/s/${deep}/t/${name}` },
      ])
    expect((await readSkillArchive(zip(`${deep}/j`))).skills[0]?.files).toHaveLength(2)
    expect(await limitOf(zip(`${deep}/j/k`))).toBe('maxDepth')
    expect((await readSkillArchive(zip(`${deep}/j/k`), { maxDepth: 11 })).skills).toHaveLength(1)
  })

  it('stop at the size of a file', async () => {
    expect((await readSkillArchive(withFile(5 * MEBIBYTE))).skills).toHaveLength(1)
    expect(await limitOf(withFile(5 * MEBIBYTE + 1))).toBe('maxFileBytes')
    expect(
      await limitOf(skillZip({ name: 'a', content: 'xxxx', method: 0 }), { maxFileBytes: 3 }),
    ).toBe('maxFileBytes')
  })

  it('stop at the size of all files together', async () => {
    const names = ['a', 'b', 'c']
    const bytes = skillZip(...names.map((name) => ({ name, content: randomBytes(1_000) })))
    expect((await readSkillArchive(bytes, { maxTotalBytes: 3_007 })).skills).toHaveLength(1)
    expect(await limitOf(bytes, { maxTotalBytes: 3_006 })).toBe('maxTotalBytes')
  })
})

describe('archives that unpack to very much', () => {
  const zeros = Buffer.alloc(5 * MEBIBYTE)

  it('are stopped by their ratio', async () => {
    expect(await limitOf(skillZip({ name: 'a', content: zeros }))).toBe('maxRatio')
    const many = Array.from({ length: 400 }, (_, place) => ({ name: `z${place}`, content: 'x' }))
    const packed = deflateRawSync(zeros)
    const bomb = many.map((entry) => ({ ...entry, packed, size: zeros.length, crc: crc32(zeros) }))
    expect(await limitOf(skillZip(...bomb))).toBe('maxRatio')
  })

  it('are read when they are small, though their ratio is as high', async () => {
    const { skills } = await readSkillArchive(
      skillZip({ name: 'a', content: Buffer.alloc(MEBIBYTE - 7) }),
    )
    expect(skills[0]?.files[1]?.content).toHaveLength(MEBIBYTE - 7)
  })

  it('are read when they hold an archive of zeros, which is not opened', async () => {
    const nested = skillZip({ name: 'a', content: zeros })
    expect(
      (await readSkillArchive(skillZip({ name: 'b.zip', content: nested }))).skills,
    ).toHaveLength(1)
  })

  it.each([
    ['no bytes', 0],
    ['ten bytes', 10],
  ])('are stopped at once when they state %s', async (_, size) => {
    const huge = deflateRawSync(Buffer.alloc(64 * MEBIBYTE))
    const bytes = skillZip({ name: 'a', packed: huge, size })
    const before = process.memoryUsage().arrayBuffers
    const read = readSkillArchive(bytes)
    await expect(read).rejects.toThrow(InvalidInputError)
    await expect(read).rejects.toThrow(/another size than is stated/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MEBIBYTE)
  })

  it('are stopped at a limit when they state four gigabytes', async () => {
    expect(await limitOf(stating(64 * MEBIBYTE))).toBe('maxFileBytes')
    expect(await limitOf(stating(8 * MEBIBYTE))).toBe('maxRatio')
  })

  it('are stopped when all entries share one piece of data, which counts once', async () => {
    const content = Buffer.concat([randomBytes(1_000), Buffer.alloc(60_000)])
    const first = { name: 'SKILL.md', content: 'x' }
    const offset = 30 + 8 + deflateRawSync('x').length
    const shared = Array.from({ length: 100 }, (_, place) => ({
      name: `f${place}`,
      content,
      packed: place === 0 ? deflateRawSync(content) : new Uint8Array(),
      packedSize: deflateRawSync(content).length,
      offset,
    }))
    expect(await limitOf(buildZip([first, ...shared]))).toBe('maxRatio')
  })
})
