import { describe, expect, it } from 'vitest'
import { byTurns, type Way } from '../src/measurements/by-turns.js'

describe('byTurns', () => {
  it('does the pieces of a round by turns, and gives the median of each way', async () => {
    const done: string[] = []
    const way = (name: string, factor: number): Way => ({
      name,
      async once(count) {
        done.push(`${name}${count}`)
        return count * factor
      },
    })
    const sides = byTurns([way('a', 1), way('b', 10)], { pieces: 3, inARow: 2 })
    const figures = await Promise.all(sides.map((side) => side.measure(1)))
    expect(done).toStrictEqual(['a3', 'a4', 'b3', 'b4', 'b5', 'a5'])
    expect(figures).toStrictEqual([4, 40])
  })

  it('does the work of a round once, whichever side is asked first', async () => {
    let count = 0
    const way: Way = { name: 'a', once: async () => (count += 1) }
    const [a] = byTurns([way, { ...way, name: 'b' }], { pieces: 2, inARow: 1 })
    await a?.measure(1)
    await a?.measure(1)
    expect(count).toBe(4)
  })
})
