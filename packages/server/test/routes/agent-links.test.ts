import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

const link = (agent: string, target: string, body: object = {}, key?: string) =>
  test.send(
    'PUT',
    `/v1/agents/${agent}/links/${target}`,
    key === undefined ? { body } : { body, key },
  )

describe('links of agents', () => {
  it('are made, listed and taken away', async () => {
    const [agent, target] = [await test.addAgent(), await test.addAgent({ displayName: 'Coder' })]
    const { status, body } = await link(agent, target, { description: 'For code' })
    expect([status, body.description, body.target.displayName]).toEqual([200, 'For code', 'Coder'])
    const list = () => test.send('GET', `/v1/agents/${agent}/links`)
    expect((await list()).body.items).toMatchObject([{ target: { key: target } }])
    const remove = () => test.send('DELETE', `/v1/agents/${agent}/links/${target}`)
    expect([(await remove()).body, (await remove()).body]).toEqual([
      { deleted: true },
      { deleted: false },
    ])
    expect((await list()).body.items).toEqual([])
  })

  it('lead to another agent that there is, and are the operator’s', async () => {
    const [agent, target] = [await test.addAgent(), await test.addAgent()]
    expect((await link(agent, agent)).status).toBe(400)
    expect((await link(agent, 'nobody')).status).toBe(404)
    expect((await link('nobody', target)).status).toBe(404)
    const key = await test.addKey({ userId: 'ana' })
    expect((await link(agent, target, {}, key)).status).toBe(403)
  })

  it.each([
    [15, /- target-0+15/],
    [16, /16 other agents/],
  ])('stand in the prompt: %i of them as %s', async (count, expected) => {
    const agent = await test.addAgent()
    await test.send('POST', `/v1/agents/${agent}/context`, { body: { userId: 'ana' } })
    await test.send('PUT', `/v1/agents/${agent}/users/ana/files/BOOTSTRAP.md`, {
      body: { content: '' },
    })
    for (let index = 1; index <= count; index += 1) {
      const target = await test.addAgent({
        displayName: `target-${String(index).padStart(3, '0')}`,
      })
      await link(agent, target)
    }
    const { body } = await test.send('POST', `/v1/agents/${agent}/context`, {
      body: { userId: 'ana' },
    })
    expect(body.dynamic).toContain('<system_context name="DELEGATION.md">')
    expect(body.dynamic).toMatch(expected)
  })
})
