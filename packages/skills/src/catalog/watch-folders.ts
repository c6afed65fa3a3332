import { realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Logger } from '@loam/core'
import { watch, type FSWatcher } from 'chokidar'
import type { SkillFolder } from '../tiers/skill-folder.js'

/** What watching works with. */
export interface WatchOptions {
  readonly folders: readonly SkillFolder[]
  /** Called when the folders have been quiet for `debounceMs` after a change. */
  readonly onChange: () => void
  readonly debounceMs: number
  readonly logger: Logger
}

/** A watch that can be ended. */
export interface FolderWatch {
  close(): Promise<void>
}

/** After this many times the debounce a change is told although others keep coming. */
const MAX_DEBOUNCES = 4
/** How often it is looked whether a folder is there, and still the one that is watched. */
const LOOK_MS = 250
/** How often everything is read again where the system cannot watch any more folders. */
const BLIND_LOOK_MS = 2_000

/** What a path leads to. */
interface Place {
  /** Without links. */
  readonly path: string
  /** Tells the folder from another one of the same path, also where that has its number on the disk. */
  readonly identity: string
}

/** A folder that is watched. */
interface Seen extends Place {
  readonly watcher: FSWatcher
  /** Ends the wait for its first look. */
  readonly end: () => void
}

/** Watches the SKILL.md files of folders, also of folders that are made, removed and made again later. Resolves when it sees. */
export async function watchFolders(options: WatchOptions): Promise<FolderWatch> {
  const { folders, debounceMs, logger } = options
  const debounce = createDebounce(options.onChange, debounceMs)
  const watched = new Map<SkillFolder, Seen>()
  const blind = new Set<SkillFolder>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  function every(ms: number, work: () => void): void {
    if (closed) return
    const timer = setInterval(work, ms)
    timer.unref()
    timers.add(timer)
  }

  /**
   * Watches a folder, or no longer, and says whether it was another one until now. The system goes on watching what a path led
   * to once, also where it has been removed, or moved with a folder above it, and another one stands in its place.
   */
  async function look(folder: SkillFolder): Promise<boolean> {
    const place = await placeOf(folder.root)
    const before = watched.get(folder)
    const isSame = before?.identity === place?.identity && before?.path === place?.path
    if (closed || blind.has(folder) || isSame) return false
    await forget(folder)
    if (closed) return false
    if (place !== undefined) await see(folder, place)
    return true
  }

  async function see(folder: SkillFolder, place: Place): Promise<void> {
    const { root, versioned = false } = folder
    const watcher = watch(place.path, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: versioned ? 2 : 1,
      ignored: (path, status) => status?.isFile() === true && !isSkillFile(path),
    })
    watcher.on('all', () => debounce.call())
    watcher.on('error', (error) => {
      if (blind.has(folder)) return
      logger.warn('skills.watch-failed', { root, error })
      if (!BLINDING.has((error as NodeJS.ErrnoException).code ?? '')) return
      if (blind.size === 0) every(BLIND_LOOK_MS, () => debounce.call())
      blind.add(folder)
      void forget(folder)
    })
    await new Promise<void>((resolve) => {
      watched.set(folder, { ...place, watcher, end: resolve })
      watcher.once('ready', resolve)
      watcher.once('error', () => resolve())
    })
  }

  async function forget(folder: SkillFolder): Promise<void> {
    const seen = watched.get(folder)
    watched.delete(folder)
    await seen?.watcher.close()
    seen?.end()
  }

  let looking = false
  async function lookAtAll(): Promise<void> {
    looking = true
    const changes = await Promise.all(folders.map(look))
    looking = false
    // What was written before it could be watched is seen by reading, not by an event.
    if (!closed && changes.includes(true)) debounce.call()
  }

  await Promise.all(folders.map(look))
  every(LOOK_MS, () => {
    if (!looking) void lookAtAll()
  })

  return {
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      debounce.cancel()
      await Promise.all(Array.from(watched.keys(), forget))
      debounce.cancel()
    },
  }
}

/** Undefined where there is no folder. */
async function placeOf(root: string): Promise<Place | undefined> {
  try {
    const path = await realpath(root)
    const status = await stat(path, { bigint: true })
    const identity = [status.dev, status.ino, status.birthtimeNs].join('/')
    return status.isDirectory() ? { path, identity } : undefined
  } catch {
    return undefined
  }
}

function createDebounce(work: () => void, ms: number) {
  let timer: NodeJS.Timeout | undefined
  let since: number | undefined
  const fire = (): void => {
    timer = undefined
    since = undefined
    work()
  }
  return {
    call(): void {
      since ??= performance.now()
      clearTimeout(timer)
      const left = since + ms * MAX_DEBOUNCES - performance.now()
      timer = setTimeout(fire, Math.max(0, Math.min(ms, left)))
      timer.unref()
    },
    cancel: (): void => clearTimeout(timer),
  }
}

function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md'
}

const BLINDING: ReadonlySet<string> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])
