import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { contentFingerprint } from './fingerprint.mjs'
import { environmentWithPnpm, pinnedPnpm } from './pnpm.mjs'
import { repositoryRoot, workspaceFolders } from './root.mjs'
import { runCommand, wasInterrupted } from './run-command.mjs'
import { stampAt } from './stamp.mjs'

const stamp = stampAt(join(repositoryRoot, 'node_modules/.loam-install'))

/** Installs the dependencies with the lockfile frozen, unless what is there was installed from the same files. */
export async function ensureInstalled() {
  const fingerprint = installFingerprint()
  if (stamp.matches(fingerprint)) return

  console.log(`Installing dependencies with ${pinnedPnpm}; the first time takes up to a minute …`)
  // Not to be asked whether an old node_modules may go: there may be no terminal to answer in.
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false']
  const { code } = await runCommand('pnpm', args, { env: await environmentWithPnpm() })
  if (wasInterrupted(code)) process.exit(code)
  if (code !== 0)
    throw new Error(`pnpm install failed with exit code ${code}; see its output above.`)
  stamp.write(fingerprint)
}

function installFingerprint() {
  const manifests = workspaceFolders
    .map((folder) => join(repositoryRoot, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'package.json')))
    .filter((file) => existsSync(file))
    .toSorted()
  const shared = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'].map((name) =>
    join(repositoryRoot, name),
  )
  // Some packages ship a binary per platform, so a node_modules carried to another machine does not count.
  return `${process.platform}-${process.arch} ${contentFingerprint([...shared, ...manifests])}`
}
