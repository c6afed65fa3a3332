import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateEngine } from '../migrate-engine.js'
import { loadMigrations } from '../migration-files.js'
import { createPgliteEngine } from '../pglite-engine.js'

const WAIT_MS = 90_000

/**
 * A migrated, empty PGlite as an archive. It is made once and kept in the machine's temporary folder, since making one takes
 * seconds and loading it one.
 */
export async function migratedSnapshot(): Promise<Blob> {
  const folder = join(tmpdir(), 'loam-test-snapshots')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${await fingerprint()}.tar`)
  const kept = await read(file)
  if (kept) return kept
  const turn = `${file}.making`
  if (!(await claim(turn))) {
    // Another process of the same test run is making it; if that one died, this one makes its own.
    const made = await waitFor(file)
    if (made) return made
  }
  try {
    return await make(file)
  } finally {
    await rm(turn, { force: true })
  }
}

/** Changes with the migrations and with the version of PGlite. */
async function fingerprint(): Promise<string> {
  const require = createRequire(import.meta.url)
  const engine = require.resolve('@electric-sql/pglite')
  const hash = createHash('sha256').update(engine)
  for (const { checksum } of await loadMigrations()) hash.update(checksum)
  return hash.digest('hex').slice(0, 32)
}

async function make(file: string): Promise<Blob> {
  const engine = await createPgliteEngine({})
  try {
    await migrateEngine(engine)
    const snapshot = await engine.dump()
    // Renamed, so that no other process reads half of it.
    const draft = `${file}.${randomUUID()}`
    await writeFile(draft, Buffer.from(await snapshot.arrayBuffer()))
    await rename(draft, file)
    return snapshot
  } finally {
    await engine.close()
  }
}

async function read(file: string): Promise<Blob | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes && new Blob([new Uint8Array(bytes)])
}

async function claim(turn: string): Promise<boolean> {
  const handle = await open(turn, 'wx').catch(() => undefined)
  await handle?.close()
  return handle !== undefined
}

async function waitFor(file: string): Promise<Blob | undefined> {
  const until = performance.now() + WAIT_MS
  while (performance.now() < until) {
    await sleep(200)
    const made = await read(file)
    if (made) return made
  }
  return undefined
}
