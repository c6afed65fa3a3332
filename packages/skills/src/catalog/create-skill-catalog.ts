import { silentLogger, type Logger } from '@loam/core'
import type { FolderSkill, LocatedWarning } from '../skill.js'
import {
  createSkillMemory,
  readSkillFolder,
  type FolderListing,
} from '../tiers/read-skill-folder.js'
import { resolveTiers } from '../tiers/resolve-tiers.js'
import type { SkillFolderOptions } from '../tiers/skill-folder.js'
import { skillFolders } from '../tiers/skill-folders.js'
import { loadFolderSkill, type LoadedSkill } from './load-skill.js'
import { watchFolders, type FolderWatch } from './watch-folders.js'

/** Where skills are looked for, and how. */
export interface SkillCatalogOptions extends SkillFolderOptions {
  /** Quiet time after a change before the folders are read again, in milliseconds. Default 500 (seed 13). */
  readonly debounceMs?: number | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** The skills of folders. They are read once, and again when `watch` sees a change or `reload` is called. */
export interface SkillCatalog {
  /** Grows with every change that is seen; 0 before the folders were read. */
  readonly version: number
  /** One for each slug, by slug: that of the highest tier. */
  list(): Promise<readonly FolderSkill[]>
  /** Those of every tier, also where a higher one hides them. */
  listAll(): Promise<readonly FolderSkill[]>
  /** Of every skill, and of those that could not be loaded. */
  warnings(): Promise<readonly LocatedWarning[]>
  find(slug: string): Promise<FolderSkill | undefined>
  /** Reads a skill's text, as it is now. */
  load(slug: string): Promise<LoadedSkill | undefined>
  /** The texts of several skills under their names: null is all of them, `[]` none, and unknown slugs are passed over. */
  loadForContext(allowList: readonly string[] | null): Promise<string>
  /** Reads the folders again. */
  reload(): Promise<void>
  /** Sees changes from now on, until `close`. */
  watch(): Promise<void>
  close(): Promise<void>
}

interface Snapshot {
  readonly all: readonly FolderSkill[]
  readonly resolved: readonly FolderSkill[]
  readonly bySlug: ReadonlyMap<string, FolderSkill>
  readonly warnings: readonly LocatedWarning[]
}

/**
 * Opens the skills of some folders. Nothing is read before it is asked for, and nothing is watched before `watch`.
 *
 * @example
 * const catalog = createSkillCatalog({ workspace: process.cwd() })
 * const skills = await catalog.list()
 */
export function createSkillCatalog(options: SkillCatalogOptions): SkillCatalog {
  const { debounceMs = 500, logger = silentLogger } = options
  const folders = skillFolders(options)
  const memories = folders.map(createSkillMemory)
  let version = 0
  let current: Promise<Snapshot> | undefined
  let reading: Promise<void> | undefined
  let readAgain = false
  let watching: Promise<FolderWatch> | undefined

  async function read(): Promise<Snapshot> {
    const found = toSnapshot(
      await Promise.all(folders.map((folder, index) => readSkillFolder(folder, memories[index]))),
    )
    // The time, so that it also grows from one process to the next (seed 13).
    version = Math.max(version + 1, Date.now())
    return found
  }

  // Whoever asks meanwhile has the old ones. Of several changes during a reading the last is seen by one more.
  async function reload(): Promise<void> {
    readAgain = true
    reading ??= (async () => {
      try {
        while (readAgain) {
          readAgain = false
          const next = await read()
          current = Promise.resolve(next)
          logger.info('skills.loaded', { skills: next.resolved.length, version })
        }
      } finally {
        reading = undefined
      }
    })()
    await reading
  }

  async function snapshot(): Promise<Snapshot> {
    current ??= read().catch((error: unknown) => {
      current = undefined
      throw error
    })
    return await current
  }

  async function load(slug: string): Promise<LoadedSkill | undefined> {
    const skill = (await snapshot()).bySlug.get(slug)
    return skill && (await loadFolderSkill(skill))
  }

  return {
    get version() {
      return version
    },
    list: async () => (await snapshot()).resolved,
    listAll: async () => (await snapshot()).all,
    warnings: async () => (await snapshot()).warnings,
    find: async (slug) => (await snapshot()).bySlug.get(slug),
    load,
    async loadForContext(allowList) {
      const { resolved } = await snapshot()
      const wanted = allowList === null ? undefined : new Set(allowList)
      const slugs = resolved.map(({ slug }) => slug).filter((slug) => wanted?.has(slug) ?? true)
      const loaded = (await Promise.all(slugs.map(load))).filter((skill) => skill !== undefined)
      return loaded.map(({ name, text }) => `### Skill: ${name}\n\n${text.trim()}`).join('\n\n')
    },
    reload,
    async watch() {
      watching ??= watchFolders({
        folders,
        debounceMs,
        logger,
        onChange: () => {
          reload().catch((error: unknown) => logger.error('skills.reload-failed', { error }))
        },
      })
      await watching
      // What changed between the first reading and the first event.
      await reload()
    },
    async close() {
      const watch = await watching
      watching = undefined
      await watch?.close()
      await reading
    },
  }
}

function toSnapshot(listings: readonly FolderListing[]): Snapshot {
  const all = listings.flatMap(({ skills }) => skills)
  const resolved = resolveTiers(all)
  const ofSkills = all.flatMap(({ source, slug, warnings }) =>
    warnings.map((warning) => ({ ...warning, source, slug })),
  )
  return {
    all,
    resolved,
    bySlug: new Map(resolved.map((skill) => [skill.slug, skill])),
    warnings: [...listings.flatMap(({ warnings }) => warnings), ...ofSkills],
  }
}
