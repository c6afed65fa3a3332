import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../workspace/run-command.mjs'
import { answers } from './answers.mjs'
import { freePort } from './free-port.mjs'
import { makePrivateFolder, removePrivateFolder } from './private-folder.mjs'
import { runOrThrow } from './run-or-throw.mjs'
import { serviceUser } from './service-user.mjs'

/** @typedef {{ provider: 'local', url: string, folder: string, bin: string }} LocalPostgres */

/**
 * Starts a private Postgres with an empty database `loam`, on a free port of 127.0.0.1 and in a temporary folder.
 * @param {string} bin the folder of its programs
 * @returns {Promise<LocalPostgres>}
 */
export async function startPostgres(bin) {
  const user = await serviceUser()
  const folder = makePrivateFolder(user)
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const data = join(folder, 'data')
  const log = join(folder, 'postgres.log')
  // The working folder must be one that the server's user can enter.
  const options = { ...user, cwd: folder }
  try {
    // Through a file and not an argument, so that the password shows in no list of processes.
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (user.uid !== undefined && user.gid !== undefined)
      chownSync(passwordFile, user.uid, user.gid)
    await runOrThrow(join(bin, 'initdb'), initArguments(data, passwordFile), options)
    rmSync(passwordFile)
    writeFileSync(join(data, 'postgresql.auto.conf'), settings(port), { flag: 'a' })
    await runOrThrow(join(bin, 'pg_ctl'), ['start', '-w', '-s', '-D', data, '-l', log], options)
    const server = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    await runOrThrow(join(bin, 'createdb'), [...server, 'loam'], {
      ...options,
      env: { ...process.env, PGPASSWORD: password },
    })
  } catch (error) {
    await stopPostgres({ provider: 'local', url: `postgres://127.0.0.1:${port}`, folder, bin })
    throw error
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/loam`
  return { provider: 'local', url, folder, bin }
}

/**
 * Stops such a server, if it still runs, and removes what it stored.
 * @param {LocalPostgres} server
 */
export async function stopPostgres({ url, folder, bin }) {
  const data = join(folder, 'data')
  // After a restart of the machine the process id in its folder may belong to another program.
  if (existsSync(join(data, 'postmaster.pid')) && (await answers(url))) {
    const options = { ...(await serviceUser()), cwd: folder, capture: true }
    await runCommand(join(bin, 'pg_ctl'), ['stop', '-w', '-m', 'immediate', '-D', data], options)
  }
  removePrivateFolder(folder)
}

/**
 * @param {string} data
 * @param {string} passwordFile
 */
function initArguments(data, passwordFile) {
  const access = ['--username=postgres', '--auth=scram-sha-256', '--pwfile', passwordFile]
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'
  return ['--pgdata', data, ...access, '--encoding=UTF8', `--locale=${locale}`, '--no-sync']
}

/** @param {number} port */
function settings(port) {
  return [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'max_connections = 200',
    // Test data may be lost with the machine.
    'fsync = off',
    'synchronous_commit = off',
    'full_page_writes = off',
    // Containers often have a /dev/shm too small for a parallel index build.
    'dynamic_shared_memory_type = mmap',
    '',
  ].join('\n')
}
