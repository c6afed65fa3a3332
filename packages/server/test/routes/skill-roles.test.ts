import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type Answer, type TestApi } from '../open-test-api.js'
import { skillFile, uploadZip, zipSkill } from './upload-skill.js'

let test: TestApi
let admin: string
let ana: string
let bob: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-skills-'))
  await mkdir(join(folder, 'brew'))
  await writeFile(join(folder, 'brew', 'SKILL.md'), skillFile({ name: 'brew', description: 'Tea' }))
  test = await openTestApi({ LOAM_SKILLS_FOLDER: folder })
  admin = await test.addKey({})
  ana = await test.addKey({ userId: 'ana' })
  bob = await test.addKey({ userId: 'bob' })
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(
  slug: string,
  options: {
    readonly key?: string
    readonly text?: string
    readonly fields?: Readonly<Record<string, string>>
  } = {},
): Promise<Answer> {
  const { key = admin, text = 'one', fields = {} } = options
  return await uploadZip(test, await zipSkill(slug, { 'a.md': text }), { key, fields })
}
async function uploaded(...given: Parameters<typeof upload>): Promise<{ readonly id: string }> {
  const { status, body } = await upload(...given)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.items[0].skill
}
const send = (method: string, path: string, key: string, body?: unknown) =>
  test.send(method, path, { key, ...(body !== undefined && { body }) })
const get = (path: string, key = admin) => send('GET', path, key)
const grant = (skill: string, holder: string, body: unknown = {}, key = admin) =>
  send('PUT', `/v1/skills/${skill}/grants/${holder}`, key, body)
const grantsOf = async (skill: string, key = admin) => {
  const { body } = await get(`/v1/skills/${skill}/grants`, key)
  return { agents: body.agents, users: body.users.map(({ userId }: { userId: string }) => userId) }
}
const read = async (slug: string, key = admin) => (await get(`/v1/skills/${slug}`, key)).body

/** An answer without what says which skill was asked for, and by which request. */
const without = ({ body }: Answer, name: string) =>
  JSON.stringify({ ...body, instance: '', requestId: '' }).replaceAll(name, '…')

/** Every route of a single stored skill. */
const routesOf = (skill: string, agent: string) =>
  [
    ['GET', `/v1/skills/${skill}`],
    ['GET', `/v1/skills/${skill}/versions`],
    ['GET', `/v1/skills/${skill}/files`],
    ['GET', `/v1/skills/${skill}/files/SKILL.md`],
    ['GET', `/v1/skills/${skill}/download`],
    ['GET', `/v1/skills/${skill}/dependencies`],
    ['GET', `/v1/skills/${skill}/grants`],
    ['PATCH', `/v1/skills/${skill}`, { status: 'archived' }],
    ['DELETE', `/v1/skills/${skill}`],
    ['DELETE', `/v1/skills/${skill}?erase=true`],
    ['POST', `/v1/skills/${skill}/restore`],
    ['GET', `/v1/agents/${agent}/skills/${skill}`],
    ['GET', `/v1/agents/${agent}/skills/${skill}/files/SKILL.md`],
  ] as const

describe('a skill that a key may not see', () => {
  it('is to it as one that does not exist, by its slug, its id and in lists', async () => {
    const agent = await test.addAgent()
    const { id } = await uploaded('secret-plan', { key: ana })
    await uploaded('secret-tool')
    const [missingId, missing] = [crypto.randomUUID(), 'secret-none']
    for (const [there, other] of [
      ['secret-plan', missing],
      ['secret-tool', missing],
      [id, missingId],
    ] as const) {
      const others = routesOf(other, agent)
      for (const [index, [method, path, body]] of routesOf(there, agent).entries()) {
        const hidden = await send(method, path, bob, body)
        const [, otherPath = ''] = others[index] ?? []
        const absent = await send(method, otherPath, bob, body)
        expect([path, hidden.status]).toEqual([path, 404])
        expect(without(hidden, there)).toBe(without(absent, other))
      }
    }
    expect((await get('/v1/skills?limit=1', bob)).body).toEqual({ items: [] })
  })
})

describe('an upload by a single user', () => {
  it('takes no slug that a folder or anyone else has', async () => {
    await uploaded('of-tenant')
    await uploaded('public-one', { fields: { visibility: 'public' } })
    await uploaded('anas-own', { key: ana })
    for (const slug of ['brew', 'of-tenant', 'public-one', 'anas-own']) {
      const { status, body } = await upload(slug, { key: bob, text: 'mine' })
      expect([slug, status, body.code]).toEqual([slug, 409, 'conflict'])
      expect(body.detail).toContain('Choose another name')
    }
    expect((await upload('anas-own', { key: ana, text: 'two' })).status).toBe(201)
    // Nor is what the operator stores for all ever a version of what is one user's alone.
    const merged = await upload('anas-own', { text: 'for all' })
    expect([merged.status, merged.body.code]).toEqual([409, 'conflict'])
    expect(merged.body.detail).toContain('"ana"')
    // Whoever runs the tenant puts a skill over that of a folder on purpose.
    expect((await upload('brew')).status).toBe(201)
    await send('DELETE', '/v1/skills/brew?erase=true', admin)
  })

  it('is private, and made everybody’s business by the operator alone', async () => {
    for (const visibility of ['public', 'internal']) {
      const refused = await upload('loud', { key: ana, fields: { visibility } })
      expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    }
    expect((await get('/v1/skills/loud')).status).toBe(404)
    await uploaded('loud', { key: ana })
    expect((await read('loud')).visibility).toBe('private')
    for (const visibility of ['public', 'internal']) {
      expect((await send('PATCH', '/v1/skills/loud', ana, { visibility })).status).toBe(403)
    }
    expect((await send('PATCH', '/v1/skills/loud', admin, { visibility: 'public' })).status).toBe(
      200,
    )
    // What it is already changes nothing, and hiding is the owner's right.
    const same = await send('PATCH', '/v1/skills/loud', ana, { visibility: 'public' })
    expect(same.body.visibility).toBe('public')
    const hidden = await send('PATCH', '/v1/skills/loud', ana, { visibility: 'private' })
    expect(hidden.body.visibility).toBe('private')
  })

  it('says that the visibility of a skill that is there stays as it is', async () => {
    await uploaded('settled')
    const { body } = await upload('settled', { text: 'two', fields: { visibility: 'public' } })
    const [{ skill, warnings }] = body.items
    expect([skill.visibility, skill.version]).toEqual(['internal', 2])
    expect(warnings).toMatchObject([{ code: 'visibility_kept' }])
    const same = await upload('settled', { text: 'two', fields: { visibility: 'internal' } })
    expect(same.body.items[0].warnings).toEqual([])
  })
})

describe('a user who manages a skill by a grant', () => {
  it('changes what it says, and nothing of who has it', async () => {
    const { id } = await uploaded('shared-work')
    await grant('shared-work', 'users/ana', { canManage: true })
    await grant('shared-work', 'users/bob')
    expect((await upload('shared-work', { key: ana, text: 'two' })).status).toBe(201)
    expect((await read('shared-work', ana)).version).toBe(2)
    const rolledBack = await send('PATCH', '/v1/skills/shared-work', ana, { version: 1 })
    expect(rolledBack.body.version).toBe(1)
    for (const [method, path, body] of [
      ['PATCH', '/v1/skills/shared-work', { visibility: 'public' }],
      ['PATCH', '/v1/skills/shared-work', { visibility: 'private' }],
      ['PATCH', '/v1/skills/shared-work', { status: 'archived' }],
      ['DELETE', '/v1/skills/shared-work', undefined],
      ['DELETE', '/v1/skills/shared-work?erase=true', undefined],
      ['PUT', '/v1/skills/shared-work/enabled', { enabled: false }],
      ['PUT', '/v1/skills/shared-work/grants/users/eve', {}],
      ['DELETE', '/v1/skills/shared-work/grants/users/bob', undefined],
    ] as const) {
      const { status } = await send(method, path, ana, body)
      expect([method, path, body, status]).toEqual([method, path, body, 403])
    }
    // Bob only uses it, and so may know that there is one.
    expect((await get('/v1/skills/shared-work', bob)).status).toBe(403)
    await send('DELETE', '/v1/skills/shared-work', admin)
    expect((await get(`/v1/skills/${id}`, ana)).status).toBe(404)
  })
})

describe('the grants of a skill', () => {
  it('are seen by its owner, and taken back when it becomes private', async () => {
    const agent = await test.addAgent()
    const { id } = await uploaded('lent', { key: ana })
    await grant('lent', `agents/${agent}`, { pinnedVersion: 1 })
    await grant('lent', 'users/bob', { canManage: true })
    expect((await read('lent')).visibility).toBe('internal')
    expect(await grantsOf('lent', ana)).toMatchObject({
      agents: [{ canManage: false }],
      users: ['bob'],
    })
    const path = `/v1/skills/${id}`
    expect((await send('PATCH', path, ana, { visibility: 'private' })).status).toBe(200)
    expect(await grantsOf('lent')).toEqual({ agents: [], users: [] })
    expect((await get(path, bob)).status).toBe(404)
    await send('PATCH', path, admin, { visibility: 'internal' })
    expect((await get(path, bob)).status).toBe(404)
    const { body } = await get('/v1/skill-audit?slug=lent')
    const done = body.items.map(({ action, actor }: Record<string, string>) => [action, actor])
    expect(done.slice(1, 4)).toEqual([
      ['grant.revoked', 'user:ana'],
      ['grant.revoked', 'user:ana'],
      ['visibility.changed', 'user:ana'],
    ])
  })

  it('keep a pinned version until they are told otherwise', async () => {
    const agent = await test.addAgent()
    await uploaded('stable-one')
    const given = async (body: unknown) =>
      (await grant('stable-one', `agents/${agent}`, body)).body.pinnedVersion
    expect(await given({ pinnedVersion: 1 })).toBe(1)
    expect(await given({ canManage: true })).toBe(1)
    expect(await given({ pinnedVersion: null })).toBeUndefined()
  })

  it('are given with an upload, or nothing is stored at all', async () => {
    const agent = await test.addAgent()
    const managerAgents = JSON.stringify([agent, 'nobody-there'])
    const refused = await upload('with-managers', { fields: { managerAgents } })
    expect(refused.status).toBe(404)
    expect((await get('/v1/skills/with-managers')).status).toBe(404)
    const one = JSON.stringify([agent])
    expect(
      (await upload('with-managers', { key: ana, fields: { managerAgents: one } })).status,
    ).toBe(403)
    const fields = { managerAgents: one, visibility: 'private' }
    const { body } = await upload('with-managers', { fields })
    expect(body.items[0].skill.visibility).toBe('internal')
    expect((await grantsOf('with-managers')).agents).toMatchObject([{ canManage: true }])
  })
})

describe('a deleted skill', () => {
  it('is neither changed, granted, switched nor given a version', async () => {
    const agent = await test.addAgent()
    const { id } = await uploaded('gone')
    await send('DELETE', '/v1/skills/gone', admin)
    for (const skill of [id, 'gone']) {
      for (const [method, path, body] of [
        ['PATCH', '', { visibility: 'public' }],
        ['PUT', '/enabled', { enabled: false }],
        ['PUT', `/grants/agents/${agent}`, {}],
        ['PUT', '/grants/users/ana', {}],
        ['DELETE', '/grants/users/ana', undefined],
      ] as const) {
        const { status, body: answer } = await send(
          method,
          url`/v1/skills/${skill}` + path,
          admin,
          body,
        )
        expect([path, status, answer.code]).toEqual([path, 404, 'not_found'])
      }
    }
    const again = await uploaded('gone', { text: 'two' })
    expect(again).toMatchObject({ version: 1 })
    expect(again.id).not.toBe(id)
    expect((await send('POST', `/v1/skills/${id}/restore`, admin)).status).toBe(409)
  })

  it('and an archived one, are told apart by why they may not be used', async () => {
    const agent = await test.addAgent()
    await uploaded('resting', { fields: { visibility: 'public' } })
    await send('PATCH', '/v1/skills/resting', admin, { status: 'archived' })
    const why = async () =>
      (await get(`/v1/skills/resting/access/effective?agent=${agent}`)).body.reason
    expect(await why()).toBe('archived')
    const all = await get(url`/v1/agents/${agent}/access/effective`)
    expect(all.body.items).toContainEqual(
      expect.objectContaining({ slug: 'resting', accessible: false, reason: 'archived' }),
    )
    const { body } = await get(url`/v1/agents/${agent}/skills`)
    expect(body.items.map(({ slug }: { slug: string }) => slug)).not.toContain('resting')
    await send('DELETE', '/v1/skills/resting', admin)
    expect(await why()).toBe('not_found')
  })
})

describe('what does not fit', () => {
  it.each([
    ['GET', '/v1/skills/bounds/files?version=9', undefined, 404],
    ['GET', '/v1/skills/bounds/files/SKILL.md?version=9', undefined, 404],
    ['GET', '/v1/skills/bounds/dependencies?version=9', undefined, 404],
    ['GET', '/v1/skills/bounds/download?version=9', undefined, 404],
    ['GET', '/v1/skills/bounds/files?version=9999999999', undefined, 400],
    ['GET', '/v1/skills/bounds/files/a%00b', undefined, 400],
    ['GET', '/v1/skills/bo%00unds', undefined, 400],
    ['GET', '/v1/skill-audit?slug=%00', undefined, 400],
    ['PATCH', '/v1/skills/bounds', { version: 0 }, 400],
    ['PATCH', '/v1/skills/bounds', { version: 3_000_000_000 }, 400],
    ['PATCH', '/v1/skills/bounds', { version: 1e300 }, 400],
    ['PATCH', '/v1/skills/bounds', { version: 2 }, 404],
    ['PUT', '/v1/skills/bounds/grants/agents/agent-1', { pinnedVersion: 3_000_000_000 }, 400],
    ['PUT', '/v1/skills/bounds/grants/agents/agent-1', { pinnedVersion: 7 }, 404],
  ])('is refused: %s %s %j', async (method, path, body, status) => {
    if ((await get('/v1/skills/bounds')).status === 404) await uploaded('bounds')
    const answer = await send(method, path, admin, body)
    expect([answer.status, answer.body.code]).toEqual([
      status,
      status === 404 ? 'not_found' : 'invalid_input',
    ])
  })

  it('is a slug that looks like an id', async () => {
    const { status, body } = await upload('x-one', { fields: { slug: crypto.randomUUID() } })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.detail).toContain('UUID')
    // A folder's name is nobody's choice of a slug, and is made to be one.
    const folderName = crypto.randomUUID()
    const made = await uploaded(folderName)
    expect(made).toMatchObject({ slug: expect.stringContaining(folderName) })
    expect((await get(`/v1/skills/${made.id}`)).status).toBe(200)
  })
})

describe('the filter of a request', () => {
  it('takes the place of the agent’s list, and with a user’s key only takes away from it', async () => {
    await uploaded('wide', { fields: { visibility: 'public' } })
    const agent = await test.addAgent({ settings: { skills: { allowList: ['brew'] } } })
    const ways = async (key: string, skillFilter: unknown) => {
      const post = async (path: string, body: Readonly<Record<string, unknown>>) =>
        (await send('POST', url`/v1/agents/${agent}` + path, key, { ...body, skillFilter })).body
      const [found, built, slash] = await Promise.all([
        post('/skills/search', { query: 'wide tea' }),
        post('/context', { message: 'Hello' }),
        post('/slash', { message: '/wide x' }),
      ])
      return {
        found: found.items.map(({ slug }: { slug: string }) => slug).toSorted(),
        listed: built.skills.listed,
        isUsed: slash.kind === 'activate',
      }
    }
    const both = ['brew', 'wide']
    expect(await ways(admin, both)).toEqual({ found: both, listed: both, isUsed: true })
    expect(await ways(ana, both)).toEqual({ found: ['brew'], listed: ['brew'], isUsed: false })
    expect(await ways(ana, ['wide'])).toEqual({ found: [], listed: [], isUsed: false })
    expect(await ways(ana, null)).toEqual({ found: ['brew'], listed: ['brew'], isUsed: false })
  })
})
