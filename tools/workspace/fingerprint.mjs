import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash of the names and contents of files; a file that is not there counts as such.
 * @param {readonly string[]} files
 */
export function contentFingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${file}\0`).update(existsSync(file) ? readFileSync(file) : '\0missing')
  }
  return hash.digest('hex')
}

/**
 * A hash of the names, sizes and times of change of files and of all that lies in folders. It reads no contents, so
 * that a start costs milliseconds.
 * @param {readonly string[]} paths
 */
export function stateFingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder)) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesUnder(join(path, name)))
}
