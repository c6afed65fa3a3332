import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** One step of the schema. */
export interface Migration {
  /** 1 for the first, then without a gap. */
  readonly version: number
  /** Name of its file. */
  readonly name: string
  readonly statements: string
  /** SHA-256 of the statements, in hex: a step is never changed after its release. */
  readonly checksum: string
}

// Beside both `src` and `dist`.
const folder = new URL('../migrations/', import.meta.url)

let loaded: Promise<readonly Migration[]> | undefined

/** The steps that this release knows, in order. */
export function loadMigrations(): Promise<readonly Migration[]> {
  loaded ??= readMigrations()
  return loaded
}

async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return await Promise.all(
    names.map(async (name) => {
      const statements = await readFile(new URL(name, folder), 'utf8')
      const checksum = createHash('sha256').update(statements).digest('hex')
      return { version: Number.parseInt(name, 10), name, statements, checksum }
    }),
  )
}
