/** `npm run pack`: installs and builds what is missing, then puts the tarball of every published package into `tarballs/`. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstalled } from './workspace/install.mjs'
import { requireSupportedNode } from './workspace/node-version.mjs'
import { environmentWithPnpm } from './workspace/pnpm.mjs'
import { repositoryRoot } from './workspace/root.mjs'
import { runCommand } from './workspace/run-command.mjs'
import { tool } from './workspace/tool.mjs'

requireSupportedNode()
await ensureInstalled()
const [command, tsc] = tool('typescript7', 'tsc')
const built = await runCommand(command, [tsc, '-b'])
if (built.code !== 0) process.exit(built.code)

const folder = join(repositoryRoot, 'tarballs')
// A tarball of an earlier version would be taken for one of this.
await rm(folder, { recursive: true, force: true })
const published = ['--filter', './packages/*', '--filter', '@loam/cli']
const args = ['--recursive', ...published, 'pack', '--pack-destination', folder]
const packed = await runCommand('pnpm', args, { env: await environmentWithPnpm(), capture: true })
if (packed.code === 0) console.log(`The tarballs are in ${folder}.`)
else console.error(packed.output)
process.exitCode = packed.code
