import { talk } from './talk.js'
import { withLoam } from './with-loam.js'

await withLoam(async (loam, model) => {
  const say = async (session: string, text: string) => {
    console.log(`\nana, ${session}: ${text}`)
    console.log(`agent: ${await talk(loam, model, { userId: 'ana', session, text })}`)
  }
  await say('monday', 'I ride the tram to work now.')
  // A new conversation: nothing of the first is sent along.
  await say('tuesday', 'How do I get to work?')
})
