import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../workspace/root.mjs'

/** The parts of a manifest that these tests read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly files?: readonly string[]
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly engines?: { readonly node?: string }
  readonly nx?: { readonly tags?: readonly string[] }
}

/** A package or app of the workspace: its folder from the root, and its manifest. */
export interface WorkspacePackage {
  readonly folder: string
  readonly manifest: Manifest
}

/** All packages and apps, in the order of their folders. */
export const workspacePackages: readonly WorkspacePackage[] = ['packages', 'apps'].flatMap(
  (parent) =>
    readdirSync(join(repositoryRoot, parent))
      .toSorted()
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(repositoryRoot, folder, 'package.json')))
      .map((folder) => ({ folder, manifest: readManifest(folder) })),
)

/** Those that go to the registry. */
export const publishedPackages = workspacePackages.filter(({ manifest }) => !manifest.private)

/** Reads the manifest in a folder of the repository, such as `packages/core` or `.` for the root. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as Manifest
}
