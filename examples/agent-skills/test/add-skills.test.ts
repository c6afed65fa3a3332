import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addSkills } from '../src/add-skills.js'
import { showTurn } from '../src/show-turn.js'
import { withLoam } from '../src/with-loam.js'

it('gives one agent the skills of a folder, and no other', async () => {
  await withLoam(async (loam) => {
    const butler = { agent: 'butler', userId: 'ana', message: '/brew-tea for two' }
    expect(await showTurn(loam, butler)).toContain('the skills: none')
    const folder = join(import.meta.dirname, '..', 'skills')
    expect(await addSkills(loam, 'butler', folder)).toEqual(['brew-tea', 'plan-week'])
    const after = await showTurn(loam, butler)
    expect(after).toContain('the skills: brew-tea')
    expect(after).toContain('for two')
    expect(await showTurn(loam, { ...butler, agent: 'gardener' })).toContain('the skills: none')
  })
})
