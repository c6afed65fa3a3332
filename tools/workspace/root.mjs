import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/** The folders whose subfolders are workspace projects, as in pnpm-workspace.yaml. */
export const workspaceFolders = ['packages', 'apps', 'tools', 'examples']

/** The root manifest. Read here by hand, since nothing is installed yet. */
export const rootManifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
