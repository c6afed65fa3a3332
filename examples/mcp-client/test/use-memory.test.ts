import { expect, it } from 'vitest'
import { useMemory } from '../src/use-memory.js'
import { withLoam } from '../src/with-loam.js'

it('lists what the agent can do, and finds what it was told', async () => {
  const agent = 'concierge'
  const lines = await withLoam(
    agent,
    async (loam) => await useMemory({ ...loam, agent, user: 'ana' }),
  )
  expect(lines).toContain('Search memory: only reads')
  expect(lines).toContain('Write a file: may be asked about first')
  expect(lines.at(-1)).toContain('Ana takes the night train to Vienna.')
})
