import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The version that is measured. */
export const MEM0_VERSION = '3.3.1'
const PG_VERSION = '8.23.1'

const MANIFEST = JSON.stringify(
  {
    name: 'loam-bench-peers',
    private: true,
    type: 'module',
    dependencies: { mem0ai: MEM0_VERSION, pg: PG_VERSION },
  },
  null,
  2,
)

/** Where the benchmark process imports mem0 from, so that it is found in the folder and not in the workspace. */
const ENTRY = `export { Memory } from 'mem0ai/oss'\n`

/**
 * Installs mem0 with its Postgres client into a folder of its own, unless it is there in this version. Returns the file to
 * import.
 *
 * Scripts of packages are not run: the only one compiles SQLite for the history, which is turned off here.
 *
 * @throws Error when npm fails.
 */
export async function installMem0(folder: string): Promise<string> {
  const entry = join(folder, 'mem0.mjs')
  const manifest = join(folder, 'package.json')
  const installed =
    existsSync(entry) && (await readFile(manifest, 'utf8').catch(() => '')) === MANIFEST
  if (installed) return entry
  await mkdir(folder, { recursive: true })
  await writeFile(manifest, MANIFEST)
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) {
    throw new Error(
      `npm could not install mem0ai ${MEM0_VERSION} into ${folder} (exit code ${String(code)}). Check the network, or leave it out with --no-peers.`,
    )
  }
  await writeFile(entry, ENTRY)
  return entry
}
