import { describe, expect, it } from 'vitest'
import { consolidationSettingsSchema, readConsolidationSettings } from '../src/index.js'

const defaults = { enabled: true, episodicTtlDays: 90, idleSeconds: 0 }

describe('readConsolidationSettings', () => {
  it.each([
    [{}, defaults, []],
    [{ consolidation: { idleSeconds: 600 } }, { ...defaults, idleSeconds: 600 }, []],
    [{ consolidation: { episodicTtlDays: null } }, { ...defaults, episodicTtlDays: null }, []],
    [
      { consolidation: { enabled: false, dreaming: {} }, other: 1 },
      { ...defaults, enabled: false },
      [],
    ],
    [
      { consolidation: { enabled: false, episodicTtlDays: 0, idleSeconds: 'soon' } },
      { ...defaults, enabled: false },
      ['consolidation.episodicTtlDays', 'consolidation.idleSeconds'],
    ],
    [{ consolidation: 'off' }, defaults, ['consolidation']],
    [{ consolidation: null }, defaults, []],
    [{ consolidation: [] }, defaults, ['consolidation']],
  ])('reads %j as %j with faults at %j', (agentSettings, settings, paths) => {
    const read = readConsolidationSettings(agentSettings)
    expect(read.settings).toEqual(settings)
    expect(read.issues.map(({ path }) => path)).toEqual(paths)
  })

  it('has a schema that refuses what would be replaced', () => {
    expect(consolidationSettingsSchema.safeParse({ idleSeconds: -1 }).success).toBe(false)
  })
})
