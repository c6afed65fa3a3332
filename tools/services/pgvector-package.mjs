import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { apt, installPackages, isPackageOffered } from './debian.mjs'
import { withProgress } from './progress.mjs'
import { runOrThrow } from './run-or-throw.mjs'

const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'loam')

/** The release whose source package is built: the first that carries pgvector 0.8, which has iterative scans. */
const SOURCE_RELEASE = 'trixie'

/**
 * Gives a Postgres of Debian the extension pgvector: Debian's own package where there is one, else built from the
 * source package of a newer release, once, and copied from the cache after that.
 * @param {import('./postgres-installation.mjs').PostgresInstallation} postgres
 */
export async function installPgvector(postgres) {
  if (findBuilt(postgres.major) === undefined) {
    const packageName = `postgresql-${postgres.major}-pgvector`
    if (await isPackageOffered(packageName)) return installPackages([packageName])
    await build(postgres)
  }
  const built = findBuilt(postgres.major)
  if (built === undefined) throw new Error(`The build of pgvector left nothing in ${cacheFolder}.`)
  // The folder mirrors the root of the file system.
  cpSync(built, '/', { recursive: true })
}

/** @param {number} major */
function findBuilt(major) {
  if (!existsSync(cacheFolder)) return undefined
  const suffix = `-pg${major}-${process.arch}`
  const name = readdirSync(cacheFolder)
    .filter((entry) => entry.startsWith('pgvector-') && entry.endsWith(suffix))
    .toSorted()
    .at(-1)
  return name && join(cacheFolder, name)
}

/** @param {import('./postgres-installation.mjs').PostgresInstallation} postgres */
async function build({ bin, major }) {
  await installPackages([
    'build-essential',
    'dpkg-dev',
    'debian-archive-keyring',
    `postgresql-server-dev-${major}`,
  ])
  const folder = mkdtempSync(join(tmpdir(), 'loam-pgvector-'))
  try {
    const source = await withProgress('fetching the source of pgvector', () => fetchSource(folder))
    await withProgress('building pgvector', async () => {
      // Without bitcode for just-in-time compilation, which would need the LLVM that Postgres was built with.
      const settings = [`PG_CONFIG=${join(bin, 'pg_config')}`, 'with_llvm=no', 'OPTFLAGS=']
      const staging = join(folder, 'staging')
      await runOrThrow('make', ['-j2', ...settings], { cwd: source })
      await runOrThrow('make', ['install', `DESTDIR=${staging}`, ...settings], { cwd: source })
      const version = source.split('-').at(-1)
      mkdirSync(cacheFolder, { recursive: true })
      const target = join(cacheFolder, `pgvector-${version}-pg${major}-${process.arch}`)
      // Copied beside and renamed, so that a build cut short is never taken for a whole one.
      const partial = `${target}.partial`
      cpSync(staging, partial, { recursive: true })
      renameSync(partial, target)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Unpacks the source package with a list of sources of its own, so that the machine's stays as it is.
 * @param {string} folder
 */
async function fetchSource(folder) {
  const list = join(folder, 'sources.list')
  const lists = join(folder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(
    list,
    `deb-src [signed-by=${keyring}] http://deb.debian.org/debian ${SOURCE_RELEASE} main\n`,
  )
  const sources = [
    ['-o', `Dir::Etc::SourceList=${list}`],
    ['-o', 'Dir::Etc::SourceParts=-'],
    ['-o', `Dir::State::Lists=${lists}`],
  ].flat()
  await apt([...sources, 'update'])
  await apt([...sources, 'source', 'pgvector'], { cwd: folder })
  const unpacked = readdirSync(folder).find((name) => /^pgvector-[\d.]+$/.test(name))
  if (unpacked === undefined) throw new Error('The source package of pgvector unpacked to nothing.')
  return join(folder, unpacked)
}
