import { InvalidInputError, type DeliveryMessage } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jobOf, messageOf } from '../src/delivery-job.js'
import { messageTo } from '@loam/core/testing'

describe('jobOf', () => {
  it('names the job by delivery and attempt, and leaves retries to the delivery', () => {
    const message = messageTo('a', { deliveryId: 'd', attempt: 7 })
    expect(jobOf(message)).toEqual({
      name: 'delivery',
      data: message,
      opts: { jobId: 'd-7', attempts: 1, removeOnComplete: true, removeOnFail: true },
    })
  })

  it('carries nothing beyond the ids', () => {
    const message = { ...messageTo('a'), text: 'a secret' }
    expect(JSON.stringify(jobOf(message))).not.toContain('secret')
  })

  it.each([
    { deliveryId: 'a:b' },
    { deliveryId: '' },
    { consumer: 'a b' },
    { attempt: 0 },
    { attempt: 1.5 },
    { tenantId: '' },
    { orderingKey: 'k'.repeat(100_001) },
  ] satisfies Partial<DeliveryMessage>[])('refuses %j', (fault) => {
    expect(() => jobOf(messageTo('a', fault))).toThrow(InvalidInputError)
  })
})

describe('messageOf', () => {
  it('reads what jobOf wrote, whatever the ordering key', () => {
    const property = fc.property(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 1 }),
      (orderingKey, attempt) => {
        const message = messageTo('a', { orderingKey, attempt })
        expect(messageOf(JSON.parse(JSON.stringify(jobOf(message).data)), 'a')).toEqual(message)
      },
    )
    fc.assert(property)
  })

  it('finds nothing in what is not a message of this consumer', () => {
    const property = fc.property(fc.jsonValue(), (data) => {
      expect(messageOf(data, 'a')).toBeUndefined()
    })
    fc.assert(property)
    expect(messageOf(messageTo('b'), 'a')).toBeUndefined()
    expect(messageOf(undefined, 'a')).toBeUndefined()
  })
})
