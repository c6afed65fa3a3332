import { installPeer } from './install-peer.js'

/** The version that is measured. */
export const MEM0_VERSION = '3.3.1'
const PG_VERSION = '8.23.1'

/**
 * Installs mem0 with its Postgres client. The only script among its packages, which is not run, compiles SQLite for the
 * history, which is turned off here.
 */
export async function installMem0(peersFolder: string): Promise<string> {
  return await installPeer(peersFolder, {
    name: 'mem0',
    dependencies: { mem0ai: MEM0_VERSION, pg: PG_VERSION },
    entry: `export { Memory } from 'mem0ai/oss'\n`,
  })
}
