import { existsSync } from 'node:fs'
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
/** How often a folder that does not exist yet is looked for. */
const MISSING_LOOK_MS = 250
/** How often everything is read again where the system cannot watch any more folders. */
const BLIND_LOOK_MS = 2_000

/** Watches the SKILL.md files of folders, also of folders that are made, removed and made again later. Resolves when it sees. */
export async function watchFolders(options: WatchOptions): Promise<FolderWatch> {
  const { folders, debounceMs, logger } = options
  const debounce = createDebounce(options.onChange, debounceMs)
  const watchers = new Map<string, FSWatcher>()
  const timers = new Set<NodeJS.Timeout>()
  let closed = false

  function every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms)
    timer.unref()
    timers.add(timer)
  }

  async function see(folder: SkillFolder): Promise<void> {
    const { root, versioned = false } = folder
    if (closed || watchers.has(root) || !existsSync(root)) return
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: versioned ? 2 : 1,
      ignored: (path, status) => status?.isFile() === true && !isSkillFile(path),
    })
    watchers.set(root, watcher)
    watcher.on('all', (_event, path) => {
      // The system forgets a folder that was removed, also if one of that name is made again.
      if (path === root && !existsSync(root)) void forget(root)
      debounce.call()
    })
    watcher.on('error', (error) => {
      logger.warn('skills.watch-failed', { root, error })
      void forget(root)
      if (BLINDING.has((error as NodeJS.ErrnoException).code ?? ''))
        every(BLIND_LOOK_MS, () => debounce.call())
    })
    await new Promise<void>((resolve) => {
      watcher.once('ready', resolve)
      watcher.once('error', () => resolve())
    })
  }

  async function forget(root: string): Promise<void> {
    const watcher = watchers.get(root)
    watchers.delete(root)
    await watcher?.close()
  }

  await Promise.all(folders.map(see))
  every(MISSING_LOOK_MS, () => {
    for (const folder of folders) {
      if (watchers.has(folder.root) || !existsSync(folder.root)) continue
      // What was written before it could be watched is seen by reading, not by an event.
      void see(folder).then(() => debounce.call())
    }
  })

  return {
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      debounce.cancel()
      await Promise.all(Array.from(watchers.keys(), forget))
    },
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
