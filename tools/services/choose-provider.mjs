/**
 * Where a service can come from.
 * - `given`: its URL is in the environment
 * - `docker`: docker/services.yaml
 * - `local`: a private process of a program that this machine has
 * - `install`: the same, after installing it from Debian's packages
 * - `none`: it cannot be had here
 * @typedef {'given' | 'docker' | 'local' | 'install' | 'none'} Provider
 */

/**
 * What was found out about this machine, asked only as far as needed.
 * @typedef {object} Probes
 * @property {() => boolean} isGiven Is the URL of the service in the environment?
 * @property {() => Promise<boolean>} hasDocker Do a Docker engine and its compose plugin answer?
 * @property {() => Promise<boolean>} hasLocal Is a fitting program installed?
 * @property {() => boolean} canInstall Is this Debian, and are we root?
 */

/**
 * Chooses where a service comes from; what costs least and changes least comes first.
 * @param {Probes} probes
 * @returns {Promise<Provider>}
 */
export async function chooseProvider({ isGiven, hasDocker, hasLocal, canInstall }) {
  if (isGiven()) return 'given'
  if (await hasDocker()) return 'docker'
  if (await hasLocal()) return 'local'
  return canInstall() ? 'install' : 'none'
}
