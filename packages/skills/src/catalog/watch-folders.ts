import { stat } from 'node:fs/promises'
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

/** A folder that is watched. */
interface Seen {
  readonly identity: string
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
    const identity = await identityOf(folder.root)
    if (closed || blind.has(folder) || watched.get(folder)?.identity === identity) return false
    await forget(folder)
    if (closed) return false
    if (identity !== undefined) await see(folder, identity)
    return true
  }

  async function see(folder: SkillFolder, identity: string): Promise<void> {
    const { root, versioned = false } = folder
    const watcher = watch(root, {
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
      watched.set(folder, { identity, watcher, end: resolve })
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

  await Promise.all(folders.map(look))
  let looking = false
  every(LOOK_MS, () => {
    if (looking) return
    looking = true
    void Promise.all(folders.map(look)).then((changes) => {
      looking = false
      // What was written before it could be watched is seen by reading, not by an event.
      if (!closed && changes.includes(true)) debounce.call()
    })
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

/** Tells a folder from another one of the same path, also where that has its number on the disk; undefined where there is none. */
async function identityOf(root: string): Promise<string | undefined> {
  const status = await stat(root, { bigint: true }).catch(() => undefined)
  return status?.isDirectory() === true
    ? [status.dev, status.ino, status.birthtimeNs].join('/')
    : undefined
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
