import { expect, it } from 'vitest'
import { describeMemories } from '../src/describe-memories.js'

it('finds how Ana gets to work', async () => {
  const lines = await describeMemories({ LOAM_DATABASE_URL: 'pglite:memory' })
  expect(lines.join('\n')).toContain('I ride the tram along the river')
})
