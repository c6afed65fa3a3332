import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../workspace/run-command.mjs'
import { satisfiesMinimum } from '../workspace/version.mjs'

/**
 * @typedef {object} PostgresInstallation
 * @property {string} bin The folder of `postgres`, `initdb` and `pg_ctl`.
 * @property {string} shareFolder Where extensions put their control files.
 * @property {number} major The major version, such as 15.
 * @property {string | undefined} pgvector The version of pgvector that it has, if any.
 */

/** The oldest pgvector that has what the schema uses (`halfvec`, and HNSW over it). */
export const MINIMUM_PGVECTOR = '0.7'

/** The oldest Postgres that the schema runs on. */
export const MINIMUM_POSTGRES = 15

/**
 * The Postgres servers installed on this machine, those with a fitting pgvector first, newer before older.
 * @returns {Promise<PostgresInstallation[]>}
 */
export async function findPostgresInstallations() {
  const found = await Promise.all((await binFolders()).map(inspect))
  return found
    .filter((installation) => installation !== undefined)
    .filter(({ major }) => major >= MINIMUM_POSTGRES)
    .toSorted((a, b) => Number(hasPgvector(b)) - Number(hasPgvector(a)) || b.major - a.major)
}

/** @param {PostgresInstallation} installation */
export function hasPgvector({ pgvector }) {
  return pgvector !== undefined && satisfiesMinimum(pgvector, MINIMUM_PGVECTOR)
}

/** Debian keeps each major version in a folder of its own; elsewhere `pg_config` tells. */
async function binFolders() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const onPath = await outputOf('pg_config', ['--bindir'])
  const folders = [...versions.map((version) => join(debian, version, 'bin')), onPath ?? '']
  return [...new Set(folders)].filter((folder) => existsSync(join(folder, 'initdb')))
}

/**
 * @param {string} bin
 * @returns {Promise<PostgresInstallation | undefined>}
 */
async function inspect(bin) {
  const version = await outputOf(join(bin, 'postgres'), ['--version'])
  const shareFolder = await outputOf(join(bin, 'pg_config'), ['--sharedir'])
  const major = Number(version?.match(/(\d+)/)?.[1])
  if (!shareFolder || !major) return undefined
  return { bin, shareFolder, major, pgvector: pgvectorVersion(shareFolder) }
}

/** @param {string} shareFolder */
function pgvectorVersion(shareFolder) {
  const control = join(shareFolder, 'extension/vector.control')
  if (!existsSync(control)) return undefined
  return readFileSync(control, 'utf8').match(/default_version\s*=\s*'([^']+)'/)?.[1]
}
