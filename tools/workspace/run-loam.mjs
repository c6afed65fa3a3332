import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { endWithNpm } from './end-with-npm.mjs'
import { ensureInstalled } from './install.mjs'
import { requireSupportedNode } from './node-version.mjs'
import { repositoryRoot } from './root.mjs'

/**
 * Installs and builds what is missing, then becomes the `loam` command. It is loaded into this process rather than
 * started as another, so that signals, exit code and terminal are its own.
 * @param {readonly string[]} args
 */
export async function runLoam(args) {
  requireSupportedNode()
  endWithNpm()
  try {
    await ensureInstalled()
    await ensureBuilt()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
  const main = join(repositoryRoot, 'apps/cli/dist/main.js')
  process.argv = [process.execPath, main, ...args]
  await import(pathToFileURL(main).href)
}
