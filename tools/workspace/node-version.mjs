import { rootManifest } from './root.mjs'
import { satisfiesMinimum } from './version.mjs'

/** Ends the process with a plain sentence if this Node is older than `engines` in package.json allows. */
export function requireSupportedNode() {
  const minimum = rootManifest.engines.node.replace('>=', '')
  if (satisfiesMinimum(process.versions.node, minimum)) return
  console.error(
    `Loam needs Node ${minimum} or newer, and this is Node ${process.versions.node}. ` +
      'Install a current version from https://nodejs.org and run the command again.',
  )
  process.exit(1)
}
