import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Packages to be measured beside Loam, which the workspace does not depend on. */
export interface Peer {
  /** Of its folder. */
  readonly name: string
  /** Exact versions by package. */
  readonly dependencies: Readonly<Record<string, string>>
  /** The module that the benchmark imports, so that the packages are found in the folder and not in the workspace. */
  readonly entry: string
}

/**
 * Installs packages into a folder of their own, unless they are there in these versions. Returns the file to import.
 *
 * Scripts of packages are not run.
 *
 * @throws Error when npm fails.
 */
export async function installPeer(peersFolder: string, peer: Peer): Promise<string> {
  const { name, dependencies, entry: source } = peer
  const folder = join(peersFolder, name)
  const entry = join(folder, 'entry.mjs')
  const path = join(folder, 'package.json')
  const manifest = JSON.stringify(
    { name: `loam-bench-${name}`, private: true, type: 'module', dependencies },
    null,
    2,
  )
  if (existsSync(entry) && (await readFile(path, 'utf8').catch(() => '')) === manifest) return entry
  await mkdir(folder, { recursive: true })
  await writeFile(path, manifest)
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) {
    throw new Error(
      `npm could not install ${Object.keys(dependencies).join(', ')} into ${folder} (exit code ${String(code)}). Check the network, or leave it out with --no-peers.`,
    )
  }
  await writeFile(entry, source)
  return entry
}
