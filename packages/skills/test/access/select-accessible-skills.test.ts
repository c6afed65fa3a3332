import { describe, expect, it } from 'vitest'
import { selectAccessibleSkills } from '../../src/access/select-accessible-skills.js'
import { caller, folderSkill, storedSkill } from './candidates.js'

const own = (slug: string) => storedSkill({ ownerUserId: 'ana' }, slug)

describe('selectAccessibleSkills', () => {
  it('keeps the order, and the very objects that it was given', () => {
    const candidates = [
      { ...own('zebra'), title: 'Z' },
      { ...folderSkill('ape'), title: 'A' },
    ]
    const selected = selectAccessibleSkills(candidates, caller)
    expect(selected.map(({ title }) => title)).toEqual(['Z', 'A'])
    expect(selected[0]).toBe(candidates[0])
  })

  it('of one slug takes the first', () => {
    const [first, second] = [own('pdf'), folderSkill('pdf')]
    expect(selectAccessibleSkills([first, second], caller)).toEqual([first])
  })

  it('lets a skill that may not be used hide nothing', () => {
    const builtin = folderSkill('pdf')
    const foreign = storedSkill()
    const archived = storedSkill({ ownerUserId: 'ana', status: 'archived' })
    expect(selectAccessibleSkills([foreign, archived, builtin], caller)).toEqual([builtin])
  })

  it('hides a slug that is switched off in every tier', () => {
    const others = [own('other')]
    for (const off of [folderSkill('pdf', false), { ...storedSkill(), enabled: false }]) {
      expect(selectAccessibleSkills([off, folderSkill('pdf'), ...others], caller)).toEqual(others)
      expect(selectAccessibleSkills([folderSkill('pdf'), ...others, off], caller)).toEqual(others)
    }
  })

  it.each([
    [null, undefined, ['a', 'b', 'c']],
    [undefined, null, ['a', 'b', 'c']],
    [[], undefined, []],
    [['c', 'a', 'unknown', 'a'], undefined, ['a', 'c']],
    [['c'], null, ['c']],
    [['c'], ['b'], ['b']],
    [['c'], [], []],
    [null, ['b', 'foreign', 'unknown'], ['b']],
    [[], ['a'], ['a']],
  ])('with the allow list %j and the filter %j gives %j', (allowList, filter, expected) => {
    const candidates = [own('a'), folderSkill('b'), storedSkill({}, 'foreign'), own('c')]
    const selected = selectAccessibleSkills(candidates, { ...caller, allowList, filter })
    expect(selected.map(({ slug }) => slug)).toEqual(expected)
  })

  it('is not misled by names of an object’s own fields', () => {
    const candidates = [folderSkill('__proto__'), folderSkill('constructor')]
    expect(selectAccessibleSkills(candidates, caller)).toEqual(candidates)
    expect(selectAccessibleSkills(candidates, { ...caller, allowList: ['toString'] })).toEqual([])
  })

  it('gives nothing for nothing', () => {
    expect(selectAccessibleSkills([], caller)).toEqual([])
  })

  it('takes lists of thousands in its stride', () => {
    const candidates = Array.from({ length: 5_000 }, (_, index) => folderSkill(`skill-${index}`))
    const allowList = candidates.map(({ slug }) => slug)
    const start = performance.now()
    expect(selectAccessibleSkills(candidates, { ...caller, allowList })).toHaveLength(5_000)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
