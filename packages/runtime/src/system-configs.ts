import { InvalidInputError } from '@loam/core'
import { closestName } from './closest-name.js'
import { SLASH_PREFIX, SLASH_PREFIX_IN_WORDS } from './slash-prefix.js'

/** What a setting of a tenant may be. */
interface KnownConfig {
  readonly describe: string
  readonly accepts: (value: string) => boolean
}

const truth: KnownConfig = {
  describe: 'true or false',
  accepts: (value) => /^(?:1|0|true|false|yes|no|on|off)$/i.test(value.trim()),
}

/** The settings that a tenant can make for itself. */
export const SYSTEM_CONFIGS: Readonly<Record<string, KnownConfig>> = {
  'skills.slash_commands.enabled': truth,
  'skills.slash_commands.suggest_not_found': truth,
  'skills.slash_commands.partial_matching': truth,
  'skills.slash_commands.prefix': {
    describe: SLASH_PREFIX_IN_WORDS,
    accepts: (value) => SLASH_PREFIX.test(value),
  },
  'skills.max_upload_size_mb': {
    describe: 'a whole number from 1 to 500',
    accepts: (value) => /^[1-9]\d{0,2}$/.test(value) && Number(value) <= 500,
  },
}

/** @throws InvalidInputError for a key that nobody reads. */
export function checkConfigKey(key: string): void {
  if (Object.hasOwn(SYSTEM_CONFIGS, key)) return
  const meant = closestName(key, Object.keys(SYSTEM_CONFIGS))
  const known = `There are ${Object.keys(SYSTEM_CONFIGS).join(', ')}.`
  const cure = meant ? `Did you mean ${meant}? ${known}` : known
  throw new InvalidInputError({
    message: `There is no setting ${JSON.stringify(key)}. ${cure}`,
    issues: [{ path: 'key', message: 'is not the key of a setting' }],
  })
}

/** @throws InvalidInputError for a key that nobody reads, and for a value that it cannot have. */
export function checkConfig(key: string, value: string): void {
  checkConfigKey(key)
  const known = SYSTEM_CONFIGS[key]
  if (known?.accepts(value)) return
  const message = `must be ${known?.describe}`
  throw new InvalidInputError({
    message: `The setting ${key} ${message}.`,
    issues: [{ path: 'value', message }],
  })
}
