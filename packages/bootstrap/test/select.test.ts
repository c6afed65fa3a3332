import { SESSION_KINDS } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import { CONTEXT_FILE_NAMES, selectContextFiles } from '../src/index.js'

const files = CONTEXT_FILE_NAMES.map((name) => ({ name, content: name }))
const has = (kind: (typeof SESSION_KINDS)[number], name: string) =>
  selectContextFiles(files, kind).files.some((file) => file.name === name)

describe('selectContextFiles', () => {
  // Seed, section 1: name, full session, subagent and cron.
  it.each([
    ['AGENTS.md', true, true],
    ['SOUL.md', true, false],
    ['TOOLS.md', true, true],
    ['IDENTITY.md', true, false],
    ['USER.md', true, false],
    ['BOOTSTRAP.md', true, false],
    ['USER_PREDEFINED.md', true, false],
  ])('%s: full session %s, subagent and cron %s', (name, full, minimal) => {
    expect([has('direct', name), has('subagent', name), has('cron', name)]).toEqual([
      full,
      minimal,
      minimal,
    ])
  })

  it.each(['group', 'team'] as const)('a %s session has everything but BOOTSTRAP.md', (kind) => {
    expect(selectContextFiles(files, kind).unavailable).toEqual(['BOOTSTRAP.md'])
  })

  it.each(SESSION_KINDS)('in a %s session each file is there or named as not available', (kind) => {
    const { files: some, unavailable } = selectContextFiles(files, kind)
    const names = [...some.map(({ name }) => name), ...unavailable]
    expect(names.toSorted()).toEqual([...CONTEXT_FILE_NAMES].toSorted())
  })
})
