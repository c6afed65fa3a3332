import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

const make = (body: unknown, key?: string) =>
  test.send('POST', '/v1/keys', { body, ...(key !== undefined && { key }) })

describe('POST /keys', () => {
  it('makes a key that acts for one user, and tells it once', async () => {
    const { status, body } = await make({ userId: 'ana', name: 'phone' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'phone',
      userId: 'ana',
      secret: expect.stringMatching(/^loam_/),
    })
    const agent = await test.addAgent()
    const path = `/v1/agents/${agent}/users`
    const own = await test.send('GET', `${path}/ana/memory`, { key: body.secret })
    const foreign = await test.send('GET', `${path}/bob/memory`, { key: body.secret })
    expect([own.status, foreign.status]).toStrictEqual([200, 403])
    const listed = await test.send('GET', '/v1/keys?userId=ana')
    expect(listed.body.items).toMatchObject([{ name: 'phone', userId: 'ana' }])
    expect(JSON.stringify(listed.body)).not.toContain(body.secret)
  })

  it('refuses a name that is taken, or that Loam gives itself', async () => {
    await make({ userId: 'ana', name: 'twice' })
    expect(await make({ userId: 'bob', name: 'twice' })).toMatchObject({ status: 409 })
    expect(await make({ userId: 'bob', name: 'embedded' })).toMatchObject({ status: 400 })
  })

  it.each([{}, { userId: '' }, { userId: 'ana', name: '' }, { userId: 'ana', scope: 'all' }])(
    'refuses %j',
    async (body) => {
      expect(await make(body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    },
  )

  it('makes none for a key that is bound to a user, nor shows or ends any', async () => {
    const key = await test.addKey({ userId: 'eve' })
    expect(await make({ userId: 'eve' }, key)).toMatchObject({ status: 403 })
    expect(await test.send('GET', '/v1/keys', { key })).toMatchObject({ status: 403 })
    expect(await test.send('DELETE', '/v1/keys/phone', { key })).toMatchObject({ status: 403 })
  })
})

describe('DELETE /keys/{key}', () => {
  it('ends a key at once', async () => {
    const { body } = await make({ userId: 'ana', name: 'short-lived' })
    const ask = () => test.send('GET', '/v1/agents', { key: body.secret })
    expect((await ask()).status).toBe(200)
    expect((await test.send('DELETE', '/v1/keys/short-lived')).status).toBe(200)
    expect((await ask()).status).toBe(401)
    expect((await test.send('DELETE', '/v1/keys/short-lived')).status).toBe(404)
  })

  it('ends none that acts for every user', async () => {
    expect((await test.send('DELETE', '/v1/keys/environment')).status).toBe(403)
  })

  it('knows no key of another tenant', async () => {
    const other = '00000000-0000-7000-8000-00000000aaaa'
    const key = await test.addKey({ tenantId: other })
    await make({ userId: 'ana', name: 'ours' })
    expect((await test.send('DELETE', '/v1/keys/ours', { key })).status).toBe(404)
    expect((await test.send('GET', '/v1/keys', { key })).body.items).toStrictEqual([])
  })
})
