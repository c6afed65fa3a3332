import { describe, expect, it } from 'vitest'
import {
  SLASH_COMMAND_DEFAULTS,
  readSlashCommandSettings,
  slashSettingsFromConfigs,
  slashSettingsFromEnvironment,
} from '../../src/slash/slash-settings.js'

describe('defaults of the seed, section 9.5', () => {
  it('are what holds without settings', () => {
    const expected = {
      enabled: true,
      suggestNotFound: true,
      partialMatching: false,
      prefix: '/',
    }
    expect(SLASH_COMMAND_DEFAULTS).toEqual(expected)
    expect(readSlashCommandSettings()).toEqual(expected)
    expect(readSlashCommandSettings({}, {})).toEqual(expected)
    expect(readSlashCommandSettings(slashSettingsFromEnvironment({}))).toEqual(expected)
    expect(readSlashCommandSettings(slashSettingsFromConfigs(new Map()))).toEqual(expected)
  })
})

describe('truth', () => {
  it.each(['1', 'true', 'yes', 'on', 'TRUE', 'Yes', ' on\n', true])('%j is true', (text) => {
    expect(readSlashCommandSettings({ partialMatching: text }).partialMatching).toBe(true)
  })

  it.each(['0', 'false', 'no', 'off', 'y', 'ja', '2', 'enabled', '11', false])(
    '%j is false',
    (text) => {
      expect(readSlashCommandSettings({ enabled: text }).enabled).toBe(false)
    },
  )

  it.each(['', ' ', '\t\n', undefined])('%j is not set', (text) => {
    expect(readSlashCommandSettings({ enabled: text }).enabled).toBe(true)
    expect(readSlashCommandSettings({ partialMatching: text }).partialMatching).toBe(false)
    expect(readSlashCommandSettings({ enabled: 'no' }, { enabled: text }).enabled).toBe(false)
  })
})

describe('the prefix', () => {
  it.each([
    ['!', '!'],
    [' ! ', '!'],
    ['…', '…'],
    ['🙂', '🙂'],
    ['', '/'],
    [' ', '/'],
    ['//', '/'],
    ['!!', '/'],
    ['skill:', '/'],
    [undefined, '/'],
  ])('%j is %j', (prefix, expected) => {
    expect(readSlashCommandSettings({ prefix }).prefix).toBe(expected)
  })
})

describe('precedence', () => {
  const file = { enabled: false, prefix: '#' }
  const environment = slashSettingsFromEnvironment({
    LOAM_SKILLS_SLASH_COMMANDS_ENABLED: 'on',
    LOAM_SKILLS_SLASH_COMMANDS_SUGGEST_NOT_FOUND: 'off',
    LOAM_SKILLS_SLASH_COMMANDS_PARTIAL_MATCHING: 'yes',
    LOAM_SKILLS_SLASH_COMMANDS_PREFIX: '!',
    SKILLS_SLASH_COMMANDS_PREFIX: '?',
  })
  const tenant = slashSettingsFromConfigs(
    new Map([
      ['skills.slash_commands.enabled', 'nope'],
      ['skills.slash_commands.suggest_not_found', '1'],
      ['skills.slash_commands.partial_matching', ''],
      ['skills.slash_commands.prefix', '+'],
      ['skills.slash_commands', '?'],
    ]),
  )

  it('is defaults, file, environment, tenant', () => {
    expect(readSlashCommandSettings(file)).toEqual({
      ...SLASH_COMMAND_DEFAULTS,
      enabled: false,
      prefix: '#',
    })
    expect(readSlashCommandSettings(file, environment)).toEqual({
      enabled: true,
      suggestNotFound: false,
      partialMatching: true,
      prefix: '!',
    })
    expect(readSlashCommandSettings(file, environment, tenant)).toEqual({
      enabled: false,
      suggestNotFound: true,
      partialMatching: true,
      prefix: '+',
    })
  })

  it('does not fall back to an earlier prefix when the latest is no character', () => {
    expect(readSlashCommandSettings({ prefix: '!' }, { prefix: 'ab' }).prefix).toBe('/')
  })
})
