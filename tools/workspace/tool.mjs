import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './root.mjs'

/**
 * The command line that runs the program of an installed package with this Node, without the shims in
 * node_modules/.bin, which need a shell on Windows.
 * @param {string} packageName
 * @param {string} program the name under `bin` in its manifest
 * @returns {[command: string, script: string]}
 */
export function tool(packageName, program) {
  const folder = join(repositoryRoot, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [process.execPath, join(folder, typeof bin === 'string' ? bin : bin[program])]
}
