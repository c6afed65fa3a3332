import { describe, expect, it } from 'vitest'
import { chooseProvider } from '../choose-provider.mjs'

function chooseOn(machine: {
  isGiven?: boolean
  hasDocker?: boolean
  hasLocal?: boolean
  canInstall?: boolean
}) {
  const asked: string[] = []
  const ask = (what: keyof typeof machine) => {
    asked.push(what)
    return machine[what] ?? false
  }
  const provider = chooseProvider({
    isGiven: () => ask('isGiven'),
    hasDocker: async () => ask('hasDocker'),
    hasLocal: async () => ask('hasLocal'),
    canInstall: () => ask('canInstall'),
  })
  return provider.then((name) => ({ name, asked }))
}

describe('chooseProvider', () => {
  it.each([
    ['given', { isGiven: true, hasDocker: true, hasLocal: true, canInstall: true }],
    ['docker', { hasDocker: true, hasLocal: true, canInstall: true }],
    ['local', { hasLocal: true, canInstall: true }],
    ['install', { canInstall: true }],
    ['none', {}],
  ])('chooses %s on a machine with %o', async (provider, machine) => {
    expect((await chooseOn(machine)).name).toBe(provider)
  })

  it('asks no further than it needs to', async () => {
    expect((await chooseOn({ isGiven: true })).asked).toEqual(['isGiven'])
    expect((await chooseOn({ hasDocker: true })).asked).toEqual(['isGiven', 'hasDocker'])
  })
})
