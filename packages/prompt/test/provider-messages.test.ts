import { describe, expect, it } from 'vitest'
import {
  CACHE_BOUNDARY,
  buildSystemPrompt,
  toAnthropicSystem,
  toOpenAiMessages,
} from '../src/index.js'
import { everything } from './everything.js'

const cached = buildSystemPrompt(everything)
const seed = buildSystemPrompt({ ...everything, order: 'seed' })

describe('toAnthropicSystem', () => {
  it('marks the stable half for caching', () => {
    expect(toAnthropicSystem(cached)).toEqual([
      { type: 'text', text: cached.stable, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: cached.dynamic },
    ])
  })

  it('gives one block in seed order', () => {
    expect(toAnthropicSystem(seed)).toEqual([{ type: 'text', text: seed.text }])
  })
})

describe('toOpenAiMessages', () => {
  it('gives one message that begins with the stable half and has no boundary', () => {
    const [message, ...others] = toOpenAiMessages(cached)
    expect(others).toEqual([])
    expect(message).toEqual({ role: 'system', content: `${cached.stable}\n\n${cached.dynamic}` })
    expect(message?.content).not.toContain(CACHE_BOUNDARY)
  })

  it('gives the whole text in seed order', () => {
    expect(toOpenAiMessages(seed)).toEqual([{ role: 'system', content: seed.text }])
  })
})
