import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StoredSkillFile } from '@loam/storage'

/** What tells one version of a stored skill from all others. */
export interface VersionIdentity {
  readonly slug: string
  readonly version: number
  readonly contentHash: string
}

/** Copies of stored skills on disk, for models whose tools read files. The store is what counts; a copy can be made again. */
export interface SkillCopies {
  /** The folder of a version, whether it is there or not. */
  folderOf(tenantId: string, skill: VersionIdentity): string
  /** Writes the copy if it is not there. */
  ensure(
    tenantId: string,
    skill: VersionIdentity,
    read: () => Promise<readonly StoredSkillFile[]>,
  ): Promise<void>
  /** Deletes the copies of all versions. */
  remove(tenantId: string, slug: string): Promise<void>
}

/**
 * Keeps copies in a folder, as `<tenant>/<slug>/<version>-<hash>`. A copy appears as a whole or not at all, also when the
 * process ends in between.
 */
export function createSkillCopies(root: string): SkillCopies {
  const made = new Map<string, Promise<void>>()
  const folderOf = (tenantId: string, { slug, version, contentHash }: VersionIdentity): string =>
    join(root, tenantId, slug, `${version}-${contentHash.slice(0, 12)}`)

  async function write(folder: string, files: readonly StoredSkillFile[]): Promise<void> {
    const draft = join(root, '.drafts', randomUUID())
    try {
      for (const { path, content } of files) {
        const file = join(draft, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, content)
      }
      await mkdir(dirname(folder), { recursive: true })
      await rename(draft, folder)
    } catch (error) {
      // Another process was quicker; what it wrote is the same.
      if (!(await isFolder(folder))) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }

  return {
    folderOf,
    ensure(tenantId, skill, read) {
      const folder = folderOf(tenantId, skill)
      const known = made.get(folder)
      if (known !== undefined) return known
      const making = (async () => {
        if (!(await isFolder(folder))) await write(folder, await read())
      })()
      made.set(folder, making)
      making.catch(() => made.delete(folder))
      return making
    },
    async remove(tenantId, slug) {
      const folder = join(root, tenantId, slug)
      for (const known of made.keys()) if (dirname(known) === folder) made.delete(known)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}
