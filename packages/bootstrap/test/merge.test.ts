import { describe, expect, it } from 'vitest'
import { mergeContextFiles } from '../src/index.js'

const named = (owner: string, ...names: readonly string[]) =>
  names.map((name) => ({ name, content: `${owner} ${name}` }))

describe('mergeContextFiles', () => {
  it('gives the seed’s example: the user’s files in their order, then what only the base has', () => {
    const base = named('base', 'AGENTS.md', 'DELEGATION.md', 'TEAM.md')
    const user = named('user', 'AGENTS.md', 'SOUL.md', 'TOOLS.md', 'USER.md')
    expect(mergeContextFiles(base, user)).toEqual([
      ...user,
      ...named('base', 'DELEGATION.md', 'TEAM.md'),
    ])
  })

  it('gives one when the other is empty', () => {
    const files = named('one', 'AGENTS.md', 'SOUL.md')
    expect(mergeContextFiles([], files)).toEqual(files)
    expect(mergeContextFiles(files, [])).toEqual(files)
  })
})
