import { loadConfig, type LoadConfigOptions, type LoamConfig } from '@loam/runtime'

/**
 * The configuration of this installation, from the environment.
 *
 * @throws ConfigurationError that names every fault.
 */
export function loadConfiguration(
  env: NodeJS.ProcessEnv = process.env,
  { needsKey }: Pick<LoadConfigOptions, 'needsKey'> = {},
): LoamConfig {
  // Only commands know this one: where to send requests instead of opening a store.
  const { LOAM_URL: _url, ...rest } = env
  const userHome = env['HOME'] ?? env['USERPROFILE']
  return loadConfig(rest, { cwd: process.cwd(), userHome, needsKey })
}
