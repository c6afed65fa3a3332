import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SkillRequest } from '../../src/index.js'
import { filesOf, openWorld, packed, skillText, type World } from './world.js'

const named = (slug: string | undefined, name: string) => ({
  slug,
  files: filesOf({ 'SKILL.md': skillText(name, 'x') }),
})

let world: World
beforeAll(async () => {
  world = await openWorld({
    folderSkills: { both: skillText('both', 'Of the folder'), only: skillText('only', 'Folder') },
  })
})
afterAll(async () => {
  await world.close()
})

describe('skills of store and folders', () => {
  it('come from the store first, and from the folder where the stored one may not be used', async () => {
    const { skills } = world
    const { tenantId, agents, operator } = await world.addTenant('one', 'two')
    await skills.install({ skills: [packed('both', 'Of the store')] }, operator)
    const grant = { pinnedVersion: undefined, canManage: false }
    await skills.grantAgent(operator, 'both', { agentId: agents['one'] ?? '', ...grant })
    const described = async (agent: string) => {
      const request = { tenantId, agentId: agents[agent] ?? '', userId: '' }
      const set = await skills.accessible(request)
      return set.skills.map(({ slug, source, description }) => [slug, source, description])
    }
    expect(await described('one')).toEqual([
      ['both', 'managed', 'Of the store'],
      ['only', 'global', 'Folder'],
    ])
    expect(await described('two')).toEqual([
      ['both', 'global', 'Of the folder'],
      ['only', 'global', 'Folder'],
    ])
    await skills.setEnabled(operator, 'both', false)
    expect(await described('one')).toEqual([['only', 'global', 'Folder']])
    expect(await described('two')).toEqual([['only', 'global', 'Folder']])
  })

  it('have their pinned version in prompt, search and text', async () => {
    const { skills } = world
    const { tenantId, agents, operator } = await world.addTenant('one', 'two')
    const [one = '', two = ''] = [agents['one'], agents['two']]
    await skills.install({ skills: [packed('pdf', 'Reads old', 'Old steps.')] }, operator)
    await skills.grantAgent(operator, 'pdf', { agentId: one, pinnedVersion: 1, canManage: false })
    await skills.grantAgent(operator, 'pdf', {
      agentId: two,
      pinnedVersion: undefined,
      canManage: false,
    })
    await skills.install({ skills: [packed('pdf', 'Reads new', 'New steps.')] }, operator)
    const seen = async (agentId: string) => {
      const request = { tenantId, agentId, userId: '' }
      const { skill, text } = await skills.load(request, 'pdf')
      const [hit] = (await skills.search(request, 'reads')).hits
      return [skill.version, hit?.skill.description, text.trim()]
    }
    expect(await seen(one)).toEqual([1, 'Reads old', 'Old steps.'])
    expect(await seen(two)).toEqual([2, 'Reads new', 'New steps.'])
    await skills.update(operator, 'pdf', { version: 1 })
    expect(await seen(two)).toEqual([1, 'Reads old', 'Old steps.'])
  })

  it('are copied to disk for models that read files, and erased from there', async () => {
    const { skills, folder } = world
    const { tenantId, agents, operator } = await world.addTenant('one')
    const files = filesOf({
      'SKILL.md': skillText('copied', 'Copied', 'See {baseDir}/scripts/a.sh'),
      'scripts/a.sh': 'echo hi',
    })
    await skills.install({ skills: [{ slug: 'copied', files }], visibility: 'public' }, operator)
    const request = { tenantId, agentId: agents['one'] ?? '', userId: '' }
    const set = await skills.accessible(request)
    await Promise.all(Array.from({ length: 5 }, () => skills.present(request, set)))
    const { skill, text } = await skills.load(request, 'copied')
    expect(skill.location.startsWith(join(folder, 'copies', tenantId))).toBe(true)
    expect(await readFile(skill.location, 'utf8')).toContain('See {baseDir}')
    const script = text.trim().replace('See ', '')
    expect(await readFile(pathToFileURL(script), 'utf8')).toBe('echo hi')
    expect(await readdir(join(folder, 'copies', '.drafts'))).toEqual([])
    await skills.erase(operator, 'copied')
    await expect(readFile(skill.location)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('have addresses where models are elsewhere, and no path of this machine', async () => {
    const { createSkills } = await import('../../src/index.js')
    const remote = createSkills({ storage: world.storage, catalog: world.skills.catalog })
    const { operator, tenantId, agents } = await world.addTenant('one')
    const files = filesOf({
      'SKILL.md': skillText('afar', 'Afar', 'See {baseDir}/references/a.md'),
      'references/a.md': 'far away',
    })
    await remote.install({ skills: [{ slug: 'afar', files }], visibility: 'public' }, operator)
    const request = { tenantId, agentId: agents['one'] ?? '', userId: '' }
    const set = await remote.accessible(request)
    expect(set.skills.map(({ location }) => location)).toEqual([
      'skill://afar/SKILL.md',
      'skill://both/SKILL.md',
      'skill://only/SKILL.md',
    ])
    expect((await remote.load(request, 'afar')).text.trim()).toBe(
      'See skill://afar/references/a.md',
    )
    const read = async (slug: string, path: string) =>
      new TextDecoder().decode(await remote.readFile(request, slug, path))
    expect(await read('afar', 'references/a.md')).toBe('far away')
    expect(await read('only', 'SKILL.md')).toContain('description: Folder')
    for (const path of ['../both/SKILL.md', '/etc/passwd', '.env', 'a/../../x']) {
      for (const slug of ['afar', 'only']) {
        await expect(remote.readFile(request, slug, path)).rejects.toMatchObject({
          code: 'invalid_input',
        })
      }
    }
    await expect(remote.readFile(request, 'only', 'none.md')).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('become internal by a grant, and private again without one', async () => {
    const { skills } = world
    const { operator, agents } = await world.addTenant('one')
    await skills.install({ skills: [packed('mine', 'Mine')], visibility: 'private' }, operator)
    const visibility = async () => (await skills.find(operator, 'mine')).visibility
    const agentId = agents['one'] ?? ''
    await skills.grantAgent(operator, 'mine', {
      agentId,
      pinnedVersion: undefined,
      canManage: false,
    })
    await skills.grantUser(operator, 'mine', { userId: 'ana', canManage: false })
    expect(await visibility()).toBe('internal')
    await skills.revokeAgent(operator, 'mine', agentId)
    expect(await visibility()).toBe('internal')
    await skills.revokeUser(operator, 'mine', 'ana')
    expect(await visibility()).toBe('private')
  })

  it('are installed together or not at all', async () => {
    const { skills } = world
    const { operator } = await world.addTenant('one')
    await skills.install({ skills: [packed('good', 'Good')] }, operator)
    const broken = { slug: 'bad', files: filesOf({ 'a.md': 'no SKILL.md' }) }
    const both = skills.install({ skills: [packed('good', 'Better'), broken] }, operator)
    await expect(both).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await skills.find(operator, 'good')).toMatchObject({ version: 1, description: 'Good' })
  })

  it('keep serving the old version when the new one cannot be written', async () => {
    const { skills, storage } = world
    const { operator, tenantId, agents } = await world.addTenant('one')
    await skills.install({ skills: [packed('steady', 'Old')], visibility: 'public' }, operator)
    // A path that the store refuses comes last, when all else of the version is written.
    const files = [
      ...filesOf({ 'SKILL.md': skillText('steady', 'New') }),
      { path: 'a\0b', content: new Uint8Array() },
    ]
    const failing = skills.install({ skills: [{ slug: 'steady', files }] }, operator)
    await expect(failing).rejects.toMatchObject({ code: 'invalid_input' })
    const request = { tenantId, agentId: agents['one'] ?? '', userId: '' }
    expect((await skills.load(request, 'steady')).description).toBe('Old')
    const { id } = await skills.find(operator, 'steady')
    const versions = await storage.transaction({ tenantId, everyUser: true }, (stores) =>
      stores.skills.versions(id),
    )
    expect(versions).toHaveLength(1)
  })

  it('get a slug that a command can name, whatever their folder is called', async () => {
    const { skills } = world
    const { operator } = await world.addTenant('one')
    const installed = await skills.install(
      { skills: [named('My Skill', 'a'), named(undefined, 'Web Search'), named('网页', 'b')] },
      operator,
    )
    expect(installed.map(({ skill }) => skill.slug)).toEqual(['my-skill', 'web-search', 'wang-ye'])
    const again = await skills.install({ skills: [named('往业', 'c')] }, operator)
    const [other] = again
    expect(other?.outcome).toBe('created')
    expect(other?.skill.slug).toMatch(/^wang-ye-[0-9a-f]{8}$/)
    const third = await skills.install({ skills: [named('往业', 'c')] }, operator)
    expect(third[0]).toMatchObject({ outcome: 'unchanged', skill: { id: other?.skill.id } })
    for (const slug of ['help', 'A', 'a_b']) {
      const wrong = skills.install({ skills: [packed('x1', 'x')], slug }, operator)
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })

  it('see a change of another process with the next question', async () => {
    const { skills, storage } = world
    const { createSkills } = await import('../../src/index.js')
    const elsewhere = createSkills({ storage })
    const { operator, tenantId, agents } = await world.addTenant('one')
    const request = { tenantId, agentId: agents['one'] ?? '', userId: '' }
    const before = await skills.accessible(request)
    await elsewhere.install({ skills: [packed('fresh', 'Fresh')], visibility: 'public' }, operator)
    const after = await skills.accessible(request)
    expect(after.skills.map(({ slug }) => slug)).toContain('fresh')
    expect(after.version).toBeGreaterThan(before.version)
    expect((await skills.accessible(request)).index).toBe(after.index)
  })

  it('are kept once for a caller, whatever lists and filters requests bring', async () => {
    const { skills } = world
    const { operator, tenantId, agents } = await world.addTenant('one')
    await skills.install({ skills: [packed('kept', 'Kept')], visibility: 'public' }, operator)
    const request = { tenantId, agentId: agents['one'] ?? '', userId: '' }
    const of = async (lists: Pick<SkillRequest, 'allowList' | 'filter'> = {}) =>
      (await skills.accessible({ ...request, ...lists })).skills
    const whole = await of()
    expect(await of()).toBe(whole)
    const filtered = await of({ filter: ['kept'] })
    expect(filtered.map(({ slug }) => slug)).toEqual(['kept'])
    expect(await of({ filter: ['kept'] })).not.toBe(filtered)
    expect(await of()).toBe(whole)
    const listed = await of({ allowList: ['only'] })
    expect(listed.map(({ slug }) => slug)).toEqual(['only'])
    expect(await of({ allowList: ['only'] })).toBe(listed)
    // The agent's list has taken the place of what was kept before.
    expect(await of()).not.toBe(whole)
  })

  it('are managed by who has a grant to, also where a private one has kept it', async () => {
    const { skills, storage } = world
    const { operator, tenantId } = await world.addTenant('one')
    await skills.install({ skills: [packed('rested', 'Old')], visibility: 'private' }, operator)
    const { id } = await skills.find(operator, 'rested')
    await storage.transaction({ tenantId, everyUser: true }, async ({ skillGrants }) => {
      const grant = { skillId: id, grantedBy: 'before there was a rule' }
      await skillGrants.putUser({ ...grant, userId: 'ana', canManage: true })
      await skillGrants.putUser({ ...grant, userId: 'bob', canManage: false })
    })
    const [ana, bob] = ['ana', 'bob'].map((userId) => ({ tenantId, userId, actor: userId }))
    expect(await skills.find(ana!, 'rested')).toMatchObject({ visibility: 'private' })
    const [changed] = await skills.install({ skills: [packed('rested', 'New')] }, ana!)
    expect(changed?.outcome).toBe('updated')
    await expect(skills.find(bob!, 'rested')).rejects.toMatchObject({ code: 'not_found' })
  })
})
