import { describeTools, recall, remember } from './use-memory.js'
import { withClient } from './with-client.js'
import { withLoam } from './with-loam.js'

const agent = 'concierge'
await withLoam(agent, async (loam) => {
  const address = { ...loam, agent, user: 'ana' }
  await withClient(address, async (client) => {
    for (const line of await describeTools(client)) console.log(line)
    await remember(client, 'Ana takes the night train to Vienna.')
  })
  // Another connection, as of another client or on another day.
  console.log(
    await withClient(
      address,
      async (client) => await recall(client, 'How does Ana get to Vienna?'),
    ),
  )
})
