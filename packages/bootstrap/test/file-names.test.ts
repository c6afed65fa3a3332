import { InvalidInputError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import {
  MAX_CONTEXT_FILE_BYTES,
  checkContextFile,
  checkFileName,
  contextFilePath,
  selectMemoryFile,
} from '../src/index.js'

const files = (...names: readonly string[]) => names.map((name) => ({ name, content: '' }))

describe('checkFileName', () => {
  it.each(['soul.md', 'SOUL', 'SOUL.MD', '', '../SOUL.md', 'MEMORY.md', '__proto__'])(
    'refuses %j, and says which names there are',
    (name) => {
      expect(() => checkFileName(name)).toThrow(/There are AGENTS.md, SOUL.md/)
    },
  )

  it.each(['TEAM.md', 'DELEGATION.md', 'AVAILABILITY.md'])(
    'says of %s that it is in the system prompt already',
    (name) => {
      expect(() => checkFileName(name)).toThrow(/in the system prompt already/)
    },
  )
})

describe('checkContextFile', () => {
  it('counts bytes of UTF-8', () => {
    const fits = 'ä'.repeat(MAX_CONTEXT_FILE_BYTES / 2)
    expect(() => checkContextFile('SOUL.md', fits)).not.toThrow()
    expect(() => checkContextFile('SOUL.md', `${fits}x`)).toThrow(InvalidInputError)
  })
})

describe('selectMemoryFile', () => {
  it.each([
    [['MEMORY.json', 'memory.md', 'MEMORY.md'], 'MEMORY.md', false],
    [['MEMORY.json', 'memory.md'], 'memory.md', false],
    [['MEMORY.json'], 'MEMORY.json', true],
  ])('takes of %j %s', (names, name, deprecated) => {
    expect(selectMemoryFile(files(...names))).toMatchObject({ file: { name }, deprecated })
  })

  it('takes none of other names', () => {
    expect(selectMemoryFile(files('Memory.md', 'SOUL.md'))).toBeUndefined()
  })
})

describe('contextFilePath', () => {
  it.each([
    ['SOUL.md', 'context'],
    ['./SOUL.md', 'context'],
    ['x/../SOUL.md', 'context'],
    ['/work/space/SOUL.md', 'context'],
    ['/work/space/./TOOLS.md', 'context'],
    [String.raw`.\SOUL.md`, 'context'],
    ['TEAM.md', 'virtual'],
    ['/work/space/TEAM.md', 'virtual'],
    ['soul.md', 'other'],
    ['sub/SOUL.md', 'other'],
    ['../SOUL.md', 'other'],
    ['/work/space/sub/SOUL.md', 'other'],
    ['/work/space-two/SOUL.md', 'other'],
    ['/work/SOUL.md', 'other'],
    ['/SOUL.md', 'other'],
    ['notes.md', 'other'],
    ['', 'other'],
  ])('takes %j in the workspace /work/space for %s', (path, kind) => {
    expect(contextFilePath(path, '/work/space').kind).toBe(kind)
  })

  it('takes no absolute path without a workspace', () => {
    expect(contextFilePath('/work/space/SOUL.md').kind).toBe('other')
  })
})
