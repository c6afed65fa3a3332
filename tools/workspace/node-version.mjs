import { rootManifest } from './root.mjs'

/**
 * Tells whether a Node version satisfies a minimum.
 * @param {string} version for example `20.19.2`
 * @param {string} minimum for example `20.19`
 */
export function satisfiesMinimum(version, minimum) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = minimum.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

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
