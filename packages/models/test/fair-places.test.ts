import { expect, it } from 'vitest'
import { createFairPlaces, type FairPlaces, type Place } from '../src/fair-places.js'

/** Asks for places of users, written `tenant/user`, and tells in which order they get them. */
function inLine(places: FairPlaces) {
  const order: string[] = []
  const have = new Map<string, Place[]>()
  return {
    order,
    async ask(name: string, times = 1) {
      const [tenantId = '', userId = ''] = name.split('/')
      for (let time = 0; time < times; time += 1) {
        const place = places.ask({ tenantId, userId })
        void place.ready.then(() => {
          order.push(name)
          have.set(name, [...(have.get(name) ?? []), place])
          return undefined
        })
      }
      await settled()
    },
    async leave(name: string) {
      have.get(name)?.shift()?.leave()
      await settled()
    },
  }
}

const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

it('one who comes later does not wait for all that another has asked for', async () => {
  const line = inLine(createFairPlaces(2))
  await line.ask('a/ana', 5)
  await line.ask('a/bob', 2)
  await line.leave('a/ana')
  await line.leave('a/ana')
  expect(line.order).toEqual(['a/ana', 'a/ana', 'a/bob', 'a/ana'])
  await line.leave('a/ana')
  expect(line.order.at(-1)).toBe('a/ana')
  await line.leave('a/bob')
  expect(line.order.at(-1)).toBe('a/bob')
})

it('a single place is given in turn', async () => {
  const line = inLine(createFairPlaces(1))
  await line.ask('a/ana', 3)
  await line.ask('a/bob', 3)
  for (const name of ['a/ana', 'a/bob', 'a/ana', 'a/bob', 'a/ana']) await line.leave(name)
  expect(line.order).toEqual(['a/ana', 'a/bob', 'a/ana', 'a/bob', 'a/ana', 'a/bob'])
})

it('tenants come in turn, however many users one has', async () => {
  const line = inLine(createFairPlaces(1))
  for (const user of ['1', '2', '3']) await line.ask(`a/${user}`)
  await line.ask('b/1', 2)
  for (const name of ['a/1', 'b/1', 'a/2', 'b/1']) await line.leave(name)
  expect(line.order).toEqual(['a/1', 'b/1', 'a/2', 'b/1', 'a/3'])
})

it('a spare place is for whoever comes while another has all the others', async () => {
  const line = inLine(createFairPlaces(3, 1))
  await line.ask('a/ana', 5)
  expect(line.order).toEqual(['a/ana', 'a/ana'])
  await line.ask('a/bob')
  expect(line.order.at(-1)).toBe('a/bob')
})

it('a spare place is none where there is only one', async () => {
  const line = inLine(createFairPlaces(1, 1))
  await line.ask('a/ana')
  expect(line.order).toEqual(['a/ana'])
})

it('who gives up waiting is passed over, and leaving twice is leaving once', async () => {
  const places = createFairPlaces(1)
  const owner = { tenantId: 'a', userId: 'ana' }
  const first = places.ask(owner)
  const second = places.ask(owner)
  const third = places.ask(owner)
  second.leave()
  first.leave()
  first.leave()
  await third.ready
  const fourth = places.ask(owner)
  const isFirst = await Promise.race([fourth.ready.then(() => true), settled().then(() => false)])
  expect(isFirst).toBe(false)
})
