import { createContextFiles, seedAgentFiles } from '@loam/bootstrap'
import { generateId } from '@loam/core'
import { openStorage } from '@loam/storage-postgres'

await using storage = await openStorage('pglite:memory')
const tenantId = generateId()
const agent = await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
  await stores.tenants.ensure({ slug: 'acme', name: 'Acme' })
  const made = await stores.agents.create({
    id: generateId(),
    key: 'helper',
    type: 'open', // or 'predefined'
    displayName: 'Helper',
    description: undefined,
    settings: {},
  })
  await seedAgentFiles(stores, made) // a predefined agent has files of its own
  return made
})

const contextFiles = createContextFiles({ storage })
const turn = { tenantId, agent, userId: 'ana', sessionKind: 'direct', turnId: 'run-1' } as const
const { files, isFirstRun, nudge, warnings } = await contextFiles.load(turn)
console.log(Object.fromEntries(files.map(({ name, content }) => [name, content.length])))
console.log({ isFirstRun, nudge, warnings })
await contextFiles.write({ ...turn, name: 'USER.md', content: '- **Name:** Ana' })
await contextFiles.write({ ...turn, name: 'BOOTSTRAP.md', content: '' }) // the first meeting is over, for good
