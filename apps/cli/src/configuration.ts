import { loadConfig, type LoamConfig } from '@loam/runtime'

/**
 * The configuration of this installation, from the environment.
 *
 * @throws ConfigurationError that names every fault.
 */
export function loadConfiguration(env: NodeJS.ProcessEnv = process.env): LoamConfig {
  // Only commands know this one: where to send requests instead of opening a store.
  const { LOAM_URL: _url, ...rest } = env
  return loadConfig(rest, { cwd: process.cwd(), userHome: env['HOME'] ?? env['USERPROFILE'] })
}
