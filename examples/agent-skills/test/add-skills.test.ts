import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addSkills } from '../src/add-skills.js'
import { showTurn } from '../src/show-turn.js'
import { withLoam } from '../src/with-loam.js'

it('gives one agent the skills of a folder, and no other', async () => {
  await withLoam(async (loam) => {
    const butler = { agent: 'butler', userId: 'ana', message: 'Some tea, please.' }
    expect(await showTurn(loam, butler)).toContain('skills in its prompt: none')
    const folder = join(import.meta.dirname, '..', 'skills')
    expect(await addSkills(loam, 'butler', folder)).toEqual(['brew-tea', 'plan-week'])
    expect(await showTurn(loam, butler)).toContain('skills in its prompt: brew-tea, plan-week')
    const slash = { ...butler, message: '/brew-tea for two' }
    expect(await showTurn(loam, slash)).toContain('is asked: for two, by the skill brew-tea')
    const gardener = await showTurn(loam, { ...slash, agent: 'gardener' })
    expect(gardener).toContain('skills in its prompt: none')
  })
})
