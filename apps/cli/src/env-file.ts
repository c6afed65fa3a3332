import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Takes the settings of a folder's `.env` into the environment; what is set already stays. Other programs' variables are
 * left alone, and so is `LOAM_URL`: a key from the environment must not go where a file in some folder says.
 */
export function loadEnvFile(folder: string, env: NodeJS.ProcessEnv): void {
  const path = join(folder, '.env')
  if (!existsSync(path)) return
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8')))) {
    if (name.startsWith('LOAM_') && name !== 'LOAM_URL') env[name] ??= value
  }
}
