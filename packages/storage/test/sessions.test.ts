import { describe, expect, it } from 'vitest'
import { sessionKindOf } from '../src/index.js'

describe('sessionKindOf', () => {
  it.each([
    ['agent:bot:subagent:research', '', 'subagent'],
    ['agent:bot:SubAgent:x', '', 'subagent'],
    ['agent:bot:cron:daily', '', 'cron'],
    ['agent:bot:heartbeat', '', 'heartbeat'],
    ['agent:bot:heartbeat:42', '', 'heartbeat'],
    ['agent:bot:team:red', '', 'team'],
    ['agent:bot:telegram:42', 'ada', 'direct'],
    ['agent:bot:telegram:42', 'group:telegram:42', 'group'],
    ['agent:bot:cron:daily', 'group:telegram:42', 'cron'],
    ['agent:bot', '', 'direct'],
    ['cron:daily', '', 'direct'],
    ['agent:cron:daily', '', 'direct'],
    ['chat', 'ada', 'direct'],
    ['', '', 'direct'],
  ])('of the key %j and the owner %j is %s', (key, userId, kind) => {
    expect(sessionKindOf(key, userId)).toBe(kind)
  })
})
