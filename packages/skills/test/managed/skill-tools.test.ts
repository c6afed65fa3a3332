import { callTool } from '@loam/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSkillTools } from '../../src/index.js'
import { filesOf, openWorld, skillText, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld({ folderSkills: { brew: skillText('brew', 'Brews coffee', 'Heat it.') } })
})
afterAll(async () => {
  await world.close()
})

it('find and read what the caller may use, and nothing else', async () => {
  const { skills } = world
  const { tenantId, agents, operator } = await world.addTenant('one')
  const files = filesOf({
    'SKILL.md': skillText('secret', 'Brews secrets', 'Hush.'),
    'references/a.md': 'more',
    'assets/a.bin': 'x',
  })
  await skills.install({ skills: [{ slug: 'secret', files }] }, operator)
  await skills.grantUser(operator, 'secret', { userId: 'ana', canManage: false })
  const call = async (userId: string, name: string, input: object) => {
    const request = { tenantId, agentId: agents['one'] ?? '', userId }
    const result = await callTool(createSkillTools(skills, request), {
      name,
      arguments: JSON.stringify(input),
    })
    return [result.isError, result.content]
  }
  expect(await call('ana', 'skill_search', { query: 'brews' })).toEqual([
    false,
    '- brew: Brews coffee\n- secret: Brews secrets\nCall use_skill with the slug of the one that fits.',
  ])
  expect(await call('bob', 'skill_search', { query: 'secrets' })).toEqual([
    false,
    'No skill fits. Go on without one.',
  ])
  expect(await call('ana', 'use_skill', { slug: 'secret' })).toEqual([false, 'Hush.'])
  expect(await call('ana', 'use_skill', { slug: 'secret', file: 'references/a.md' })).toEqual([
    false,
    'more',
  ])
  for (const [userId, input] of [
    ['bob', { slug: 'secret' }],
    ['bob', { slug: 'secret', file: 'references/a.md' }],
    ['ana', { slug: 'secret', file: '../brew/SKILL.md' }],
    ['ana', { slug: 'secret', file: 'none.md' }],
    ['ana', {}],
  ] as const) {
    expect((await call(userId, 'use_skill', input))[0]).toBe(true)
  }
})
