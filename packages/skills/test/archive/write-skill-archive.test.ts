import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@loam/core'
import { readSkillArchive } from '../../src/archive/read-skill-archive.js'
import { writeSkillArchive } from '../../src/archive/write-skill-archive.js'
import { utf8 } from './build-zip.js'

const skill = { path: 'SKILL.md', content: utf8('# Skill') }

describe('writeSkillArchive', () => {
  it('puts everything into a folder of the slug', async () => {
    const script = { path: 'scripts\\run.sh', content: utf8('ls') }
    const { skills } = await readSkillArchive(await writeSkillArchive('pdf', [script, skill]))
    expect(skills.map(({ slug }) => slug)).toEqual(['pdf'])
    expect(skills[0]?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'scripts/run.sh'])
  })

  it('gives equal bytes in another time zone', async () => {
    const zone = process.env['TZ']
    const here = await writeSkillArchive('pdf', [skill])
    try {
      process.env['TZ'] = 'Pacific/Auckland'
      expect(await writeSkillArchive('pdf', [skill])).toEqual(here)
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it.each([
    ['../up', 'a.md', /upwards/],
    ['a/b', 'a.md', /one folder/],
    ['', 'a.md', /empty/],
    ['pdf', '../a.md', /upwards/],
    ['pdf', '.env', /hidden/],
    ['pdf', 'skill.md', /Write SKILL\.md/],
  ])('refuses the slug %j with the path %j', async (slug, path, message) => {
    const write = writeSkillArchive(slug, [skill, { path, content: utf8('') }])
    await expect(write).rejects.toThrow(InvalidInputError)
    await expect(write).rejects.toThrow(message)
  })

  it('refuses a path that is there twice', async () => {
    const files = ['a.md', 'A.md'].map((path) => ({ path, content: utf8('') }))
    await expect(writeSkillArchive('pdf', files)).rejects.toThrow(/twice/)
  })
})
