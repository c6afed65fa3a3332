import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { outputOf } from '../workspace/run-command.mjs'
import { withProgress } from './progress.mjs'
import { runOrThrow } from './run-or-throw.mjs'

const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const options = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Sandbox::User=root']

/** Is this Debian, and may we install packages? */
export function canInstallPackages() {
  return process.getuid?.() === 0 && isDebian()
}

function isDebian() {
  const release = '/etc/os-release'
  return existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
}

/** @type {Promise<unknown> | undefined} */
let listsAreFresh

/** Brings the lists of packages up to date, once per process: old lists name versions that are no longer served. */
function updateLists() {
  listsAreFresh ??= withProgress('apt-get update', () => apt(['update']))
  return listsAreFresh
}

/**
 * Runs apt-get without questions.
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} [where]
 */
export function apt(args, where = {}) {
  return runOrThrow('apt-get', [...options, ...args], { ...where, env: environment })
}

/**
 * Installs packages, without starting the services that they bring.
 * @param {readonly string[]} names
 */
export async function installPackages(names) {
  await updateLists()
  await withProgress(`installing ${names.join(', ')}`, () =>
    withoutServiceStart(() => apt(['install', '--no-install-recommends', ...names])),
  )
}

/**
 * Does Debian offer this package here?
 * @param {string} name
 */
export async function isPackageOffered(name) {
  await updateLists()
  const policy = await outputOf('apt-cache', ['policy', name])
  return policy !== undefined && /Candidate: (?!\(none\))/.test(policy)
}

/**
 * Debian starts a service right after installing it, unless this script forbids it.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withoutServiceStart(work) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return work()
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await work()
  } finally {
    rmSync(policy, { force: true })
  }
}
