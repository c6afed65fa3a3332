import { describe, expect, it } from 'vitest'
import { createCorpus } from '../src/corpus.js'

describe('createCorpus', () => {
  it('says the same again, wherever it is read from', () => {
    const whole = createCorpus().messages(0, 20)
    expect(createCorpus().messages(0, 20)).toStrictEqual(whole)
    expect(createCorpus().messages(7, 3)).toStrictEqual(whole.slice(7, 10))
    expect(createCorpus(2).messages(0, 20)).not.toStrictEqual(whole)
  })

  it('has messages as long as people write them, nearly all of them different', () => {
    const texts = createCorpus()
      .messages(0, 500)
      .map(({ content }) => content)
    const words = texts.join(' ').split(' ').length / texts.length
    expect(words).toBeGreaterThan(15)
    expect(words).toBeLessThan(40)
    expect(new Set(texts).size).toBeGreaterThan(495)
  })

  it('asks for words that were said', () => {
    const corpus = createCorpus()
    const said = corpus
      .messages(0, 50)
      .map(({ content }) => content)
      .join(' ')
    for (const question of corpus.questions(10, 50)) {
      const topics = question.slice(0, -1).split(' ').slice(6)
      for (const topic of topics) expect(said).toContain(topic)
    }
  })
})
