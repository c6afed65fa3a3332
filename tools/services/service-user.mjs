import { outputOf } from '../workspace/run-command.mjs'

/**
 * The user that servers run as: nobody else than us, or an unprivileged one if we are root, as Postgres refuses root.
 * @returns {Promise<{ uid?: number, gid?: number }>}
 */
export async function serviceUser() {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const uid = await outputOf('id', ['-u', name])
    const gid = await outputOf('id', ['-g', name])
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'We are root, and there is neither a user "postgres" nor "nobody" to run servers as.',
  )
}
