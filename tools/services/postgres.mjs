import { installPackages } from './debian.mjs'
import { installPgvector } from './pgvector-package.mjs'
import {
  MINIMUM_PGVECTOR,
  MINIMUM_POSTGRES,
  findPostgresInstallations,
  hasPgvector,
} from './postgres-installation.mjs'
import { startPostgres, stopPostgres } from './postgres-server.mjs'

/** @type {import('./services.mjs').Service<import('./postgres-server.mjs').LocalPostgres>} */
export const postgres = {
  name: 'postgres',
  variable: 'LOAM_TEST_DATABASE_URL',
  requirement: `Postgres ${MINIMUM_POSTGRES} or newer with pgvector ${MINIMUM_PGVECTOR} or newer`,
  hasLocal: async () => (await findPostgresInstallations()).some(hasPgvector),
  async install() {
    if ((await findPostgresInstallations()).length === 0) await installPackages(['postgresql'])
    const [newest] = await findPostgresInstallations()
    if (!newest) throw new Error(`Debian's Postgres is older than ${MINIMUM_POSTGRES}.`)
    if (!hasPgvector(newest)) await installPgvector(newest)
  },
  async startLocal() {
    const [best] = await findPostgresInstallations()
    if (!best) throw new Error('No Postgres is installed.')
    return startPostgres(best.bin)
  },
  stopLocal: stopPostgres,
}
