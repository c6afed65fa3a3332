/**
 * Tells whether a version satisfies a minimum. Only major and minor count.
 * @param {string} version for example `20.19.2`
 * @param {string} minimum for example `20.19`
 */
export function satisfiesMinimum(version, minimum) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = minimum.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
