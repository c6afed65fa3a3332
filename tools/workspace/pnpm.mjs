import { tmpdir } from 'node:os'
import { outputOf } from './run-command.mjs'
import { rootManifest } from './root.mjs'

/** The package manager that package.json pins, such as `pnpm@10.34.9`. */
export const pinnedPnpm = rootManifest.packageManager

/** @type {Promise<NodeJS.ProcessEnv> | undefined} */
let environment

/**
 * The environment in which `pnpm` is the pinned one: this one if it is there already, else with the folder in front
 * of the PATH into which npx has put it. publint and Nx call pnpm by name, so the PATH must have it.
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export function environmentWithPnpm() {
  environment ??= findOrFetchPnpm()
  return environment
}

async function findOrFetchPnpm() {
  // Asked outside the repository: inside, another pnpm would fetch the pinned one and give its version.
  const present = await outputOf('pnpm', ['--version'], { cwd: tmpdir() })
  if (`pnpm@${present}` === pinnedPnpm) return process.env

  const path = await outputOf('npm', [
    'exec',
    '--yes',
    `--package=${pinnedPnpm}`,
    '--',
    'node',
    '-p',
    'process.env.PATH',
  ])
  if (!path) {
    throw new Error(
      `npm could not fetch ${pinnedPnpm}. Check the network and the npm registry, ` +
        `or install it with "npm install --global ${pinnedPnpm}".`,
    )
  }
  return { ...process.env, PATH: path.split('\n').at(-1) }
}
