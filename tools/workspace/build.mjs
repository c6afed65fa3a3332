import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { stateFingerprint } from './fingerprint.mjs'
import { repositoryRoot } from './root.mjs'
import { runCommand, wasInterrupted } from './run-command.mjs'
import { stampAt } from './stamp.mjs'
import { tool } from './tool.mjs'

const cliProject = join(repositoryRoot, 'apps/cli/tsconfig.lib.json')
const stamp = stampAt(join(repositoryRoot, 'node_modules/.loam-build'))

/** Compiles the command line and every package that it references, unless no source has changed since. */
export async function ensureBuilt() {
  const projects = withReferences(cliProject)
  const isComplete = projects.every((project) =>
    existsSync(join(dirname(project), 'dist/lib.tsbuildinfo')),
  )
  const fingerprint = stateFingerprint([
    join(repositoryRoot, 'tsconfig.base.json'),
    join(repositoryRoot, 'pnpm-lock.yaml'),
    ...projects,
    ...projects.map((project) => join(dirname(project), 'src')),
  ])
  if (isComplete && stamp.matches(fingerprint)) return

  console.log('Building …')
  stamp.clear()
  const [command, tsc] = tool('typescript7', 'tsc')
  const { code } = await runCommand(command, [tsc, '-b', cliProject])
  if (wasInterrupted(code)) process.exit(code)
  if (code !== 0) throw new Error('The build failed; see the messages above.')
  stamp.write(fingerprint)
}

/**
 * A project and all that it references, directly or not.
 * @param {string} project the path of a tsconfig file
 * @param {Set<string>} [seen]
 * @returns {string[]}
 */
function withReferences(project, seen = new Set()) {
  if (seen.has(project)) return []
  seen.add(project)
  const { references = [] } = JSON.parse(readFileSync(project, 'utf8'))
  for (const { path } of references) withReferences(resolve(dirname(project), path), seen)
  return [...seen]
}
