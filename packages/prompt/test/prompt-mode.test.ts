import { InvalidInputError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { resolvePromptMode, type PromptModeRequest } from '../src/index.js'

describe('resolvePromptMode', () => {
  it.each([
    ['task', 'direct', 'full', 'task'],
    ['full', 'cron', 'none', 'full'],
    [undefined, 'heartbeat', undefined, 'minimal'],
    [undefined, 'heartbeat', 'full', 'minimal'],
    [undefined, 'subagent', undefined, 'minimal'],
    [undefined, 'subagent', 'full', 'minimal'],
    [undefined, 'subagent', 'task', 'minimal'],
    [undefined, 'subagent', 'minimal', 'minimal'],
    [undefined, 'subagent', 'none', 'none'],
    [undefined, 'cron', 'full', 'minimal'],
    [undefined, 'team', 'full', 'full'],
    [undefined, 'group', 'task', 'task'],
    [undefined, 'direct', undefined, 'full'],
    [undefined, undefined, 'minimal', 'minimal'],
    [undefined, undefined, undefined, 'full'],
  ] as const)('override %s, session %s, agent %s: %s', (override, sessionKind, agentMode, mode) => {
    expect(resolvePromptMode({ override, sessionKind, agentMode })).toBe(mode)
  })

  it.each([
    { override: 'FULL' },
    { override: null },
    { agentMode: 'everything' },
    { override: 'full', agentMode: '' },
    { sessionKind: 'delegate' },
    { sessionKind: 'constructor' },
  ])('refuses %o', (request) => {
    expect(() => resolvePromptMode(request as PromptModeRequest)).toThrow(InvalidInputError)
  })

  it('says which value is wrong and which are right', () => {
    expect(() => resolvePromptMode({ agentMode: 'most' as 'full' })).toThrow(
      'agentMode: "most" is not one of full, task, minimal, none.',
    )
  })
})
