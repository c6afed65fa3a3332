import { expect, it } from 'vitest'
import { createSharedLookup } from '../src/shared-lookup.js'

/** A question whose answers come when the test lets them. */
function setUp() {
  const asked: { question: string; answer: (text: string) => void; fail: () => void }[] = []
  const lookup = createSharedLookup(
    (question) =>
      new Promise<string>((resolve, reject) => {
        asked.push({ question, answer: resolve, fail: () => reject(new Error('away')) })
      }),
  )
  return { asked, lookup }
}

it('asks once for all who ask while the same question is under way, and after it', async () => {
  const { asked, lookup } = setUp()
  const first = lookup('a')
  const later = [lookup('a'), lookup('a'), lookup('a')]
  expect(asked).toHaveLength(1)
  asked[0]!.answer('old')
  expect(await first).toBe('old')
  await Promise.resolve()
  expect(asked).toHaveLength(2)
  asked[1]!.answer('new')
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  void lookup('a')
  expect(asked).toHaveLength(3)
})

it('keeps questions apart', () => {
  const { asked, lookup } = setUp()
  void lookup('a')
  void lookup('b')
  expect(asked.map(({ question }) => question)).toEqual(['a', 'b'])
})

it('asks again after a failure, which only those see who asked for it', async () => {
  const { asked, lookup } = setUp()
  const first = lookup('a')
  const second = lookup('a')
  asked[0]!.fail()
  await expect(first).rejects.toThrow('away')
  await Promise.resolve()
  asked[1]!.answer('there')
  expect(await second).toBe('there')
})
