import { readSkillArchive } from '@loam/skills'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'
import { skillFile, uploadZip, zipSkill } from './upload-skill.js'

let test: TestApi
let admin: string
beforeAll(async () => {
  test = await openTestApi()
  admin = await test.addKey({})
})
afterAll(async () => {
  await test.close()
})

const upload = async (
  slug: string,
  files: Readonly<Record<string, string>> = {},
  fields: Readonly<Record<string, string>> = {},
  key = admin,
) => uploadZip(test, await zipSkill(slug, files), { key, fields })
const get = (path: string, key = admin) => test.send('GET', path, { key })
const bytesOf = async (path: string, key = admin) => {
  const response = await test.api.request(path, { headers: { Authorization: `Bearer ${key}` } })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

describe('an uploaded skill', () => {
  it('is stored, unchanged when it is sent again, and updated when any file differs', async () => {
    const first = await upload('report', { 'scripts/run.py': 'print(1)' })
    expect(first.status).toBe(201)
    expect(first.body.items).toMatchObject([
      {
        outcome: 'created',
        warnings: [],
        findings: [],
        skill: {
          slug: 'report',
          version: 1,
          visibility: 'internal',
          fileCount: 2,
          ownerUserId: '',
        },
      },
    ])
    const second = await upload('report', { 'scripts/run.py': 'print(1)' })
    expect([second.status, second.body.items[0].outcome]).toEqual([200, 'unchanged'])
    const third = await upload('report', { 'scripts/run.py': 'print(2)' })
    expect(third.body.items[0]).toMatchObject({ outcome: 'updated', skill: { version: 2 } })
  })

  it('lists its versions and files, and is downloaded as it was uploaded', async () => {
    await upload('letters', { 'references/a.md': 'one' })
    await upload('letters', { 'references/a.md': 'two' })
    const versions = await get('/v1/skills/letters/versions')
    expect(versions.body.items.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect((await get('/v1/skills/letters/files?version=1')).body.items).toMatchObject([
      { path: 'SKILL.md' },
      { path: 'references/a.md', sizeBytes: 3 },
    ])
    const file = await bytesOf('/v1/skills/letters/files/references/a.md?version=1')
    expect(new TextDecoder().decode(file.bytes)).toBe('one')
    const { response, bytes } = await bytesOf('/v1/skills/letters/download')
    expect(response.headers.get('Content-Type')).toBe('application/zip')
    const { skills } = await readSkillArchive(bytes)
    const [skill] = skills
    expect(skill?.slug).toBe('letters')
    const texts = skill?.files.map(({ path, content }) => [path, new TextDecoder().decode(content)])
    expect(texts).toContainEqual(['references/a.md', 'two'])
    expect((await get('/v1/skills/letters/files/none.md')).status).toBe(404)
    expect((await get('/v1/skills/letters/download?version=9')).status).toBe(404)
  })

  it('tells what its scripts need', async () => {
    await upload('scripted', { 'scripts/a.py': 'import requests' })
    const { body } = await get('/v1/skills/scripted/dependencies')
    expect(body).toMatchObject({ origin: 'scanned', runtimes: ['python3'], python: ['requests'] })
  })

  it('is rolled back to an earlier version', async () => {
    await upload('rolling')
    await upload('rolling', { 'SKILL.md': skillFile({ name: 'Two', description: 'x' }) })
    const patched = await test.send('PATCH', '/v1/skills/rolling', { body: { version: 1 } })
    expect(patched.body).toMatchObject({ version: 1, name: 'rolling' })
    const missing = await test.send('PATCH', '/v1/skills/rolling', { body: { version: 9 } })
    expect(missing.status).toBe(404)
  })

  it('keeps its warnings and the lines that someone should look at', async () => {
    const { body } = await upload('odd-one', {
      'SKILL.md': '---\nname: odd-one\ndescription: Use when: asked\n---\n',
      'scripts/clean.sh': '#!/bin/sh\nrm -rf /\n',
    })
    const [item] = body.items
    expect(item.skill.description).toBe('Use when: asked')
    expect(item.warnings.map(({ code }: { code: string }) => code)).toContain('frontmatter_invalid')
    expect(item.findings).toMatchObject([{ path: 'scripts/clean.sh', line: 2 }])
    expect((await get('/v1/skills/odd-one')).body.warnings).toEqual(item.warnings)
  })

  it('is also taken as the body itself', async () => {
    const response = await test.api.request('/v1/skills/upload?visibility=public', {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/zip' },
      body: Uint8Array.from(await zipSkill('plain-body')),
    })
    expect(response.status).toBe(201)
    expect((await get('/v1/skills/plain-body')).body.visibility).toBe('public')
  })

  it('is deleted and restored, and erased for good', async () => {
    const { body } = await upload('passing')
    const { id } = body.items[0].skill
    const path = url`/v1/skills/${id}`
    expect((await test.send('DELETE', '/v1/skills/passing')).body).toEqual({ deleted: true, id })
    expect((await get('/v1/skills/passing')).status).toBe(404)
    expect((await test.send('POST', `${path}/restore`)).body).toMatchObject({ slug: 'passing' })
    expect((await test.send('DELETE', '/v1/skills/passing?erase=true')).body).toEqual({
      deleted: true,
      erased: { skills: 1, versions: 1, files: 1, grants: 0 },
    })
    expect((await get(path)).status).toBe(404)
    expect((await test.send('POST', `${path}/restore`)).status).toBe(404)
    const { body: audit } = await get('/v1/skill-audit?slug=passing')
    expect(audit.items.map(({ action }: { action: string }) => action)).toEqual([
      'erased',
      'restored',
      'deleted',
      'version.created',
    ])
    expect(audit.items[0].actor).toMatch(/^key:/)
  })

  it('is given to the agents that are to manage it', async () => {
    const agent = await test.addAgent()
    await upload('managed-one', {}, { managerAgents: JSON.stringify([agent]) })
    const { body } = await get('/v1/skills/managed-one/grants')
    expect(body.agents).toMatchObject([{ canManage: true }])
  })

  it.each([
    ['no form', { 'Content-Type': 'application/json' }, '{}', 415, 'unsupported_media_type'],
    ['no boundary', { 'Content-Type': 'multipart/form-data' }, 'x', 400, 'invalid_input'],
    ['no ZIP', { 'Content-Type': 'application/zip' }, 'PK or not', 400, 'invalid_input'],
    ['nothing', { 'Content-Type': 'application/zip' }, '', 400, 'invalid_input'],
  ])('is refused when it is %s', async (_, headers, body, status, code) => {
    const response = await test.api.request('/v1/skills/upload', {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin}`, ...headers },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })

  it.each([
    [{ slug: 'Not A Slug' }, 400],
    [{ slug: 'help' }, 400],
    [{ visibility: 'team' }, 400],
    [{ managerAgents: 'x' }, 400],
    [{ managerAgents: '["nobody-there"]' }, 404],
    [{ colour: 'red' }, 400],
  ])('is refused with %j', async (fields, status) => {
    const answer = await upload('with-fields', {}, fields)
    expect(answer.status).toBe(status)
    expect((await get('/v1/skills/with-fields')).status).toBe(404)
  })

  it('is refused when it is larger than the tenant allows', async () => {
    const path = '/v1/system-configs/skills.max_upload_size_mb'
    await test.send('PUT', path, { body: { value: 1 } })
    const noise = Array.from({ length: 400_000 }, () => Math.random().toString(36)).join('')
    const large = await upload('large', { 'references/a.txt': noise })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    await test.send('DELETE', path)
  })

  it('is switched off for the tenant and on again', async () => {
    const agent = await test.addAgent()
    await upload('switching', {}, { visibility: 'public' })
    const slugs = async () =>
      (await get(url`/v1/agents/${agent}/skills`)).body.items.map(
        ({ slug }: { slug: string }) => slug,
      )
    expect(await slugs()).toContain('switching')
    await test.send('PUT', '/v1/skills/switching/enabled', { body: { enabled: false } })
    expect(await slugs()).not.toContain('switching')
    await test.send('PUT', '/v1/skills/switching/enabled', { body: { enabled: true } })
    expect(await slugs()).toContain('switching')
    const unknown = await test.send('PUT', '/v1/skills/swiching/enabled', {
      body: { enabled: false },
    })
    expect(unknown.status).toBe(404)
  })
})

describe('a key that is bound to a user', () => {
  it('stores skills of its own, manages these, and no others', async () => {
    const [ana, bob] = [await test.addKey({ userId: 'ana' }), await test.addKey({ userId: 'bob' })]
    const made = await upload('anas', {}, {}, ana)
    expect(made.body.items[0].skill.ownerUserId).toBe('ana')
    await upload('everybodys')
    const listed = async (key: string) =>
      (await get('/v1/skills', key)).body.items.map(({ slug }: { slug: string }) => slug)
    expect(await listed(ana)).toEqual(['anas'])
    expect(await listed(bob)).toEqual([])
    expect((await get('/v1/skills/anas', bob)).status).toBe(404)
    expect((await upload('anas', { 'a.md': 'x' }, {}, bob)).status).toBe(409)
    expect((await upload('anas', { 'a.md': 'x' }, {}, ana)).body.items[0].outcome).toBe('updated')
    expect((await test.send('DELETE', '/v1/skills/anas', { key: ana })).status).toBe(200)
    expect(await listed(ana)).toEqual([])
  })
})

describe('another tenant', () => {
  it('has skills of the same slug, and sees none of these', async () => {
    const tenantId = crypto.randomUUID()
    const key = await test.addKey({ tenantId })
    const { body } = await upload('shared-name', { 'a.md': 'ours' }, { visibility: 'public' })
    const { id } = body.items[0].skill
    const theirs = await upload('shared-name', { 'a.md': 'theirs' }, {}, key)
    expect(theirs.body.items[0].outcome).toBe('created')
    expect((await get(url`/v1/skills/${id}`, key)).status).toBe(404)
    const file = await bytesOf('/v1/skills/shared-name/files/a.md', key)
    expect(new TextDecoder().decode(file.bytes)).toBe('theirs')
    expect((await get('/v1/skill-audit', key)).body.items).toHaveLength(1)
  })
})

describe('settings of a tenant', () => {
  it('are made, read, listed and taken away', async () => {
    const path = '/v1/system-configs/skills.slash_commands.prefix'
    expect((await get(path)).status).toBe(404)
    const made = await test.send('PUT', path, { body: { value: '!' } })
    expect(made.body).toMatchObject({ key: 'skills.slash_commands.prefix', value: '!' })
    expect((await get(path)).body).toEqual(made.body)
    expect((await get('/v1/system-configs')).body.items).toEqual([made.body])
    expect((await test.send('DELETE', path)).body).toEqual({ deleted: true })
    expect((await test.send('DELETE', path)).body).toEqual({ deleted: false })
    const unknown = await test.send('DELETE', '/v1/system-configs/nope')
    expect([unknown.status, unknown.body.code]).toEqual([400, 'invalid_input'])
    expect(unknown.body.detail).toContain('skills.slash_commands.prefix')
  })

  it.each([
    ['skills.slash_commands.prefx', '!'],
    ['constructor', '!'],
    ['skills.slash_commands.prefix', '//'],
    ['skills.slash_commands.prefix', 'ü'],
    ['skills.slash_commands.prefix', '→'],
    ['skills.slash_commands.prefix', '\u200b'],
    ['skills.slash_commands.prefix', '\u0007'],
    ['skills.slash_commands.prefix', 'x'],
    ['skills.slash_commands.enabled', 'perhaps'],
    ['skills.max_upload_size_mb', 501],
  ])('refuse %s = %j', async (key, value) => {
    const { status, body } = await test.send('PUT', url`/v1/system-configs/${key}`, {
      body: { value },
    })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
  })

  it('are no business of a single user', async () => {
    const key = await test.addKey({ userId: 'ana' })
    expect((await get('/v1/system-configs', key)).status).toBe(403)
  })
})
