import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/**
 * A file that remembers the fingerprint of the last finished work, so that it is not done again for the same input.
 * @param {string} file
 */
export function stampAt(file) {
  return {
    /** @param {string} fingerprint */
    matches: (fingerprint) => existsSync(file) && readFileSync(file, 'utf8') === fingerprint,
    /** @param {string} fingerprint */
    write: (fingerprint) => writeFileSync(file, fingerprint),
    clear: () => rmSync(file, { force: true }),
  }
}
