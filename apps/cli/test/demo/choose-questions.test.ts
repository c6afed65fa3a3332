import { describe, expect, it } from 'vitest'
import { chooseQuestions } from '../../src/demo/choose-questions.js'

const say = (text: string, role = 'user', userId = 'u') => ({ text, role, userId })

describe('chooseQuestions', () => {
  it('asks about the rarest words of each stretch, in what the user said', () => {
    const questions = chooseQuestions([
      say('Hello there, how are you today?'),
      say('The harpsichord from Antwerp arrived today.'),
      say('Wonderful, a harpsichord!', 'assistant'),
      say('Today there was fog.'),
      say('Marguerite repaired the windmill today.'),
      say('Nice of Marguerite.', 'assistant'),
      say('How are you?'),
      say('The ferry from Lerwick was late today.'),
      say('Sorry to hear that.', 'assistant'),
    ])
    expect(questions).toHaveLength(3)
    expect(questions.map(({ text }) => text)).toEqual([
      expect.stringContaining('Antwerp') as string,
      expect.stringContaining('Marguerite') as string,
      expect.stringContaining('Lerwick') as string,
    ])
  })

  it('asks with the beginning of a message where there are no such words', () => {
    expect(chooseQuestions([say('昨日、妹がポルトに引っ越しました。')], 1)).toEqual([
      { text: expect.stringContaining('昨日') as string, userId: 'u' },
    ])
    expect(chooseQuestions([say('ok go on')], 1)).toEqual([{ text: 'ok go on', userId: 'u' }])
  })

  it('asks nothing of nothing, and stays with one user', () => {
    expect(chooseQuestions([])).toEqual([])
    const questions = chooseQuestions([say('Lighthouse keepers'), say('Submarine', 'user', 'v')])
    expect(questions.every(({ userId }) => userId === 'u')).toBe(true)
  })
})
