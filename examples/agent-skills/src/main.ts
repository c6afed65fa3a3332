import { join } from 'node:path'
import { addSkills } from './add-skills.js'
import { showTurn } from './show-turn.js'
import { withLoam } from './with-loam.js'

await withLoam(async (loam) => {
  const show = async (agent: string, message: string) => {
    console.log(await showTurn(loam, { agent, userId: 'ana', message }))
  }
  await show('butler', 'Some tea, please.')
  const added = await addSkills(loam, 'butler', join(import.meta.dirname, '..', 'skills'))
  console.log(`\nadded to butler: ${added.join(', ')}\n`)
  await show('butler', 'Some tea, please.')
  // A slash command uses one skill, and the turn has no other.
  await show('butler', '/brew-tea for two')
  await show('gardener', '/brew-tea for two')
})
