import { expect, it } from 'vitest'
import { talk } from '../src/talk.js'
import { withLoam } from '../src/with-loam.js'

it('remembers in a second session what was said in the first, for that user alone', async () => {
  await withLoam(async (loam, model) => {
    const fact = 'I ride the tram to work now.'
    const question = { session: 'tuesday', text: 'How do I get to work?' }
    await talk(loam, model, { userId: 'ana', session: 'monday', text: fact })
    expect(await talk(loam, model, { userId: 'ana', ...question })).toContain(fact)
    const other = { ...question, userId: 'bob', session: 'other' }
    expect(await talk(loam, model, other)).not.toContain(fact)
  })
})
