import { describe, expect, it } from 'vitest'
import { formatReport } from '../src/report.js'

const measured = { samples: [], min: 90, max: 110.4 }

describe('formatReport', () => {
  it('names the machine, every side, and whether the target is met', () => {
    const text = formatReport({
      machine: { processor: '2 × Test' },
      loadAtEnd: '0.1 0.2 0.3',
      comparisons: [
        {
          title: 'Speed',
          unit: 'x/s',
          better: 'higher',
          target: 10,
          ours: [{ name: 'Loam', median: 100, ...measured }],
          theirs: [{ name: 'other', median: 9.5, ...measured }],
          besides: [],
          outcome: {
            by: 'ratio',
            ours: 'Loam',
            theirs: 'other',
            ofMedians: 10.526,
            min: 9.5,
            max: 12,
            targetMet: true,
          },
        },
      ],
    })
    expect(text.split('\n')).toStrictEqual([
      'processor        2 × Test',
      'load at the end  0.1 0.2 0.3',
      '',
      'Speed (x/s, higher is better)',
      '  Loam                                100  90.0 to 110',
      '  other                              9.50  90.0 to 110',
      '  ratio 10.5 (9.50 to 12.0 in the rounds); target at least 10: met',
    ])
  })
})
