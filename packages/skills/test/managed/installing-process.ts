/** Installs version after version of a skill until it is killed, and says so of each. Arguments: the store's URL, the tenant. */
import { openStorage } from '@loam/storage-postgres'
import { createSkills } from '../../src/index.js'
import { filesOf, skillText } from './world.js'

const [url = '', tenantId = ''] = process.argv.slice(2)
const storage = await openStorage(url)
const skills = createSkills({ storage })
const operator = { tenantId, userId: undefined, actor: 'test' }
for (let round = Date.now(); ; round += 1) {
  const texts = Array.from({ length: 30 }, (_, index) => [
    `references/${index}.md`,
    `round ${round}`,
  ])
  const files = filesOf({
    'SKILL.md': skillText('steady', `round ${round}`),
    ...Object.fromEntries(texts),
  })
  await skills.install({ skills: [{ slug: 'steady', files }], visibility: 'public' }, operator)
  process.stdout.write('installed\n')
}
