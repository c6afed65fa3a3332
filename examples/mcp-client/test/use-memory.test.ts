import type { Client } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { describeTools, recall, remember } from '../src/use-memory.js'
import { withClient } from '../src/with-client.js'
import { withLoam } from '../src/with-loam.js'

const NOTE = 'Ana takes the night train to Vienna.'

const ask = async (client: Client) => await recall(client, 'How does Ana get to Vienna?')

it('finds in a second connection what the first one kept, for that user alone', async () => {
  const agent = 'concierge'
  await withLoam(agent, async (loam) => {
    const ana = { ...loam, agent, user: 'ana' }
    const bob = { ...ana, user: 'bob' }
    await withClient(ana, async (client) => {
      expect(await describeTools(client)).toEqual(
        expect.arrayContaining([
          'Search memory: only reads',
          'Write a file: may be asked about first',
        ]),
      )
      await remember(client, NOTE)
    })
    expect(await withClient(ana, ask)).toContain(NOTE)
    expect(await withClient(bob, ask)).not.toContain(NOTE)
  })
})
