import { useMemory } from './use-memory.js'
import { withLoam } from './with-loam.js'

const agent = 'concierge'
const lines = await withLoam(
  agent,
  async (loam) => await useMemory({ ...loam, agent, user: 'ana' }),
)
for (const line of lines) console.log(line)
