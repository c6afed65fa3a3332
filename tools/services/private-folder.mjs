import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const prefix = join(tmpdir(), 'loam-service-')

/**
 * A new temporary folder that only the user of a server can enter.
 * @param {{ uid?: number, gid?: number }} user
 */
export function makePrivateFolder({ uid, gid }) {
  const folder = mkdtempSync(prefix)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/**
 * Removes such a folder and all in it. Any other path is refused: it may come from a state file that was edited.
 * @param {string} folder
 */
export function removePrivateFolder(folder) {
  if (!resolve(folder).startsWith(prefix)) {
    throw new Error(
      `${folder} is not a folder of a test service; remove it by hand if it should go.`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
}
