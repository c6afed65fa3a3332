import { describe, expect, it } from 'vitest'
import { topicsOf } from '../src/index.js'

describe('topicsOf', () => {
  it.each([
    ['Alice met Bob Smith at Acme Corp.', ['Alice', 'Bob Smith', 'Acme Corp']],
    ['The Acme Corp called. When I met Zoë, she smiled.', ['Acme Corp', 'Zoë']],
    ['Dr. Weiß and J. Doe live in Rome, Italy!', ['Dr. Weiß', 'J. Doe', 'Rome', 'Italy']],
    ["Anna's dog (Rex) likes Bo, AI and KI.", ['Anna', 'Rex']],
    ['Dogs are nice. I saw many dogs with Ann.', ['Ann']],
    ['Ann\nBob', ['Ann', 'Bob']],
    ['Wonderful! Rain came to Rome. Yes, Oskar fixed it. I thanked Oskar.', ['Rome', 'Oskar']],
    ['nothing of note here', []],
    ['', []],
    ['the garden needs water, and the garden needs seeds', ['garden', 'needs']],
    ['我喜欢爬山。周末去爬山吧,爬山很开心。', ['爬山']],
  ])('finds in %j %j', (text, expected) => {
    expect(topicsOf(text)).toEqual(expected)
  })

  it('keeps the twenty most frequent, in order of appearance', () => {
    const names = Array.from(
      { length: 30 },
      (_, index) => `Name${String.fromCharCode(97 + (index % 26))}${index}`,
    )
    expect(topicsOf(names.join(', '))).toEqual(names.slice(0, 20))
    expect(topicsOf([...names, ...names.slice(25)].join(', '))).toEqual([
      ...names.slice(0, 15),
      ...names.slice(25),
    ])
  })

  it('leaves out whole sentences in capitals', () => {
    expect(topicsOf(`${'WHAT A LONG SHOUT '.repeat(20)}. Met Bob`)).toEqual(['Met Bob'])
  })
})
