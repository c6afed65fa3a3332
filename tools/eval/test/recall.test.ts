import { describe, expect, it } from 'vitest'
import { repairedRecall, repairEvidence, upstreamRecall } from '../src/recall.js'

const questions = [
  { category: 4, evidence: ['D1:1'], retrieved: ['D1:1', 'D1:2'] },
  { category: 1, evidence: ['D1:3', 'D1:4'], retrieved: ['D1:9', 'D1:4', 'D1:8', 'D1:3'] },
  { category: 5, evidence: ['D1:5; D1:6'], retrieved: ['D1:6'] },
  { category: 3, evidence: [], retrieved: ['D1:1'] },
]
const turnIds = new Set(Array.from({ length: 9 }, (_, index) => `D1:${index + 1}`))

describe('upstreamRecall', () => {
  it('counts strings verbatim and divides by all questions', () => {
    expect(upstreamRecall(questions, [1, 2, 4])).toEqual({
      questions: 4,
      at: [1 / 4, 1.5 / 4, 2 / 4],
      mrr: 1.5 / 4,
    })
  })
})

describe('repairedRecall', () => {
  it('splits strings and leaves out questions without evidence', () => {
    expect(repairedRecall(questions, [1, 4], () => turnIds)).toEqual({
      questions: 3,
      at: [1.5 / 3, 2.5 / 3],
      mrr: 2.5 / 3,
    })
  })

  it('is zero for no questions', () => {
    expect(repairedRecall([], [1], () => turnIds)).toEqual({ questions: 0, at: [0], mrr: 0 })
  })
})

describe('repairEvidence', () => {
  it.each([
    [['D1:1; D1:2'], ['D1:1', 'D1:2']],
    [
      ['D1:1 D1:2', 'D1:2'],
      ['D1:1', 'D1:2'],
    ],
    [['D:1:1', 'D4:36', 'D1:3'], ['D1:3']],
    [['D'], []],
  ])('makes %j into %j', (evidence, repaired) => {
    expect(repairEvidence(evidence, turnIds)).toEqual(repaired)
  })
})
