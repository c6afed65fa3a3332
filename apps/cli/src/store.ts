import { existsSync } from 'node:fs'
import { storeFolder, type LoamConfig } from '@loam/runtime'

/** Whether there is something to open: the folder of an embedded store, or a server that only asking can tell. */
export function holdsStore(config: LoamConfig): boolean {
  const folder = storeFolder(config)
  return folder === undefined || existsSync(folder)
}
