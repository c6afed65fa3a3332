import { join } from 'node:path'
import { addSkills } from './add-skills.js'
import { showTurn } from './show-turn.js'
import { withLoam } from './with-loam.js'

await withLoam(async (loam) => {
  const turn = { userId: 'ana', message: '/brew-tea for two' }
  console.log(await showTurn(loam, { agent: 'butler', ...turn }))
  const added = await addSkills(loam, 'butler', join(import.meta.dirname, '..', 'skills'))
  console.log(`\nadded to butler: ${added.join(', ')}\n`)
  for (const agent of ['butler', 'gardener']) console.log(await showTurn(loam, { agent, ...turn }))
})
